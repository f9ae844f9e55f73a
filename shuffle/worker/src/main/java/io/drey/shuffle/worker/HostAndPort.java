package io.drey.shuffle.worker;

/** An address that is not resolved yet. */
public record HostAndPort(String host, int port) {
    /** A host, which may be in brackets, a colon and a port. */
    public static HostAndPort parse(String text) {
        int colon = text.lastIndexOf(':');
        int port = colon <= 0 ? 0 : Integer.parseInt(text.substring(colon + 1));
        if (port < 1 || port > 0xffff) {
            throw new IllegalArgumentException("expected a host and a port, found '" + text + "'");
        }
        return new HostAndPort(bare(text.substring(0, colon)), port);
    }

    /** A host without the brackets that an address with colons may have. */
    static String bare(String host) {
        return host.replaceAll("^\\[(.*)]$", "$1");
    }

    /** Whether a host, as it is written, is reached from its own machine only: names are not looked up. */
    static boolean isLoopback(String host) {
        return host.equalsIgnoreCase("localhost") || host.startsWith("127.") || host.equals("::1");
    }

    @Override
    public String toString() {
        return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
    }
}
