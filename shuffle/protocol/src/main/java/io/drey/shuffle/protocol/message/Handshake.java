package io.drey.shuffle.protocol.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.drey.foundation.DreyException;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.protocol.message.Greeting.Auth;
import io.drey.shuffle.protocol.message.Greeting.Hello;
import io.drey.shuffle.protocol.message.Greeting.Welcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The begin of a connection, for both ends: a common version, and if there is a cluster secret, each end's proof that
 * it knows it: an HMAC-SHA256 of its role and both nonces.
 */
public final class Handshake {
    public static final int VERSION_MIN = 1;
    public static final int VERSION = 1;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final byte[] NONE = {};

    private final byte[] secret;

    /** @param secret of the cluster, or null or empty if there is none */
    public Handshake(String secret) {
        this.secret = secret == null ? NONE : secret.getBytes(UTF_8);
    }

    /**
     * The secret that is all text of a file, which has these bytes.
     *
     * @throws IOException with a sentence if there is none: that is no cluster without a secret
     */
    public static String secret(byte[] bytes, Object file) throws IOException {
        String secret;
        try {
            secret =
                    UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString().strip();
        } catch (CharacterCodingException e) {
            throw new IOException(
                    "expected the secret of the cluster as text in " + file
                            + ", found bytes that are not UTF-8: make text of them, by base64 for example",
                    e);
        }
        if (secret.isEmpty()) {
            throw new IOException("expected the secret of the cluster in " + file + ", found an empty file: to have no"
                    + " secret, name no file");
        }
        return secret;
    }

    public boolean isSecured() {
        return secret.length > 0;
    }

    private static byte[] nonce() {
        byte[] nonce = new byte[Greeting.NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    /** The client's first message. */
    public Hello hello(String software) {
        return new Hello(VERSION_MIN, VERSION, 0, nonce(), software);
    }

    /** The worker's answer. */
    public Welcome welcome(Hello hello, UUID worker, UUID incarnation, boolean draining) {
        int version = Math.min(VERSION, hello.versionMax());
        if (version < VERSION_MIN || version < hello.versionMin()) {
            throw new ProtocolException("expected a client of the shuffle protocol of version " + VERSION_MIN + " to "
                    + VERSION + ", found one of " + hello.versionMin() + " to " + hello.versionMax()
                    + ": use neighbouring versions of Drey");
        }
        byte[] nonce = nonce();
        byte[] proof = isSecured() ? proof("worker", hello.nonce(), nonce) : NONE;
        return new Welcome(version, 0, worker, incarnation, nonce, isSecured(), proof, draining);
    }

    /** The client's proof, or null if the worker wants none. */
    public Auth answer(Hello hello, Welcome welcome) {
        if (welcome.version() < VERSION_MIN || welcome.version() > VERSION) {
            throw new ProtocolException("expected a worker of the shuffle protocol of version " + VERSION_MIN + " to "
                    + VERSION + ", found " + welcome.version());
        }
        if (welcome.secured() != isSecured()) {
            throw new ProtocolException("expected a worker " + (isSecured() ? "with" : "without")
                    + " a secret as this client has, found one " + (isSecured() ? "without" : "with")
                    + ": give both the same secret");
        }
        if (!isSecured()) {
            return null;
        }
        check("worker", welcome.proof(), hello, welcome);
        return new Auth(proof("client", hello.nonce(), welcome.nonce()));
    }

    /** What the worker does with the client's proof. */
    public void check(Hello hello, Welcome welcome, Auth auth) {
        check("client", auth.proof(), hello, welcome);
    }

    private void check(String role, byte[] proof, Hello hello, Welcome welcome) {
        if (!MessageDigest.isEqual(proof, proof(role, hello.nonce(), welcome.nonce()))) {
            throw new ProtocolException("expected a " + role
                    + " that knows the secret of the cluster, found one with another: give both the same secret");
        }
    }

    private byte[] proof(String role, byte[] clientNonce, byte[] workerNonce) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update(role.getBytes(UTF_8));
            mac.update(clientNonce);
            return mac.doFinal(workerNonce);
        } catch (GeneralSecurityException e) {
            throw new DreyException("expected HmacSHA256 in this Java, found none", e);
        }
    }
}
