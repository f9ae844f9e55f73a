package io.drey.files;

/** The rule for names of files: plain, so that none leaves its directory. */
final class FileNames {
    private FileNames() {}

    static String check(String name) {
        boolean plain = !name.isEmpty() && !name.equals(".") && !name.equals("..");
        for (int i = 0; plain && i < name.length(); i++) {
            char c = name.charAt(i);
            plain = c != '/' && c != '\\' && c > ' ';
        }
        if (!plain) {
            throw new IllegalArgumentException("expected a plain file name without separators, found '" + name + "'");
        }
        return name;
    }
}
