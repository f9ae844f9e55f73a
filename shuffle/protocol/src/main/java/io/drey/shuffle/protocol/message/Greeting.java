package io.drey.shuffle.protocol.message;

import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FieldWriter;
import java.util.UUID;

/** The messages with which a connection begins. */
public interface Greeting {
    int NONCE_BYTES = 16;
    int PROOF_BYTES = 32;
    int TEXT_BYTES_MAX = 256;

    /**
     * HELLO, of the client.
     *
     * @param versionMin the lowest and
     * @param versionMax the highest version of the protocol that it speaks
     * @param features bits of optional parts that it knows; none is defined yet
     * @param nonce random bytes, other ones for each connection
     * @param software what it is, for logs
     */
    record Hello(int versionMin, int versionMax, long features, byte[] nonce, String software) implements Body {
        @Override
        public void write(FieldWriter out) {
            out.number(1, versionMin).number(2, versionMax).number(3, features);
            out.bytes(4, nonce).text(5, software);
        }

        public static Hello read(FieldReader in) {
            int min = 0;
            int max = 0;
            long features = 0;
            byte[] nonce = null;
            String software = "";
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                switch (tag) {
                    case 1 -> min = in.number(0, Integer.MAX_VALUE);
                    case 2 -> max = in.number(0, Integer.MAX_VALUE);
                    case 3 -> features = in.number();
                    case 4 -> nonce = in.bytes(NONCE_BYTES);
                    case 5 -> software = in.text(TEXT_BYTES_MAX);
                    default -> {}
                }
            }
            return new Hello(min, max, features, in.required(nonce, "nonce"), software);
        }
    }

    /**
     * WELCOME, of the worker.
     *
     * @param version the one that both speak on this connection
     * @param features those of the client's that it knows too
     * @param worker its id
     * @param incarnation of its storage: another one after its directories were emptied
     * @param nonce random bytes
     * @param secured whether the client has to prove that it knows the secret
     * @param proof the worker's own proof; empty if not secured
     * @param draining as after GOAWAY
     */
    record Welcome(
            int version,
            long features,
            UUID worker,
            UUID incarnation,
            byte[] nonce,
            boolean secured,
            byte[] proof,
            boolean draining)
            implements Body {
        @Override
        public void write(FieldWriter out) {
            out.number(1, version).number(2, features).id(3, worker).id(4, incarnation);
            out.bytes(5, nonce).flag(6, secured).bytes(7, proof).flag(8, draining);
        }

        public static Welcome read(FieldReader in) {
            int version = 0;
            long features = 0;
            UUID worker = null;
            UUID incarnation = null;
            byte[] nonce = null;
            boolean secured = false;
            byte[] proof = {};
            boolean draining = false;
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                switch (tag) {
                    case 1 -> version = in.number(0, Integer.MAX_VALUE);
                    case 2 -> features = in.number();
                    case 3 -> worker = in.id();
                    case 4 -> incarnation = in.id();
                    case 5 -> nonce = in.bytes(NONCE_BYTES);
                    case 6 -> secured = in.flag();
                    case 7 -> proof = in.bytes(PROOF_BYTES);
                    case 8 -> draining = in.flag();
                    default -> {}
                }
            }
            return new Welcome(
                    version,
                    features,
                    in.required(worker, "worker"),
                    in.required(incarnation, "incarnation"),
                    in.required(nonce, "nonce"),
                    secured,
                    proof,
                    draining);
        }
    }

    /** AUTH, of the client: its proof. */
    record Auth(byte[] proof) implements Body {
        @Override
        public void write(FieldWriter out) {
            out.bytes(1, proof);
        }

        public static Auth read(FieldReader in) {
            byte[] proof = null;
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                proof = tag == 1 ? in.bytes(PROOF_BYTES) : proof;
            }
            return new Auth(in.required(proof, "proof"));
        }
    }
}
