package io.drey.cli.doctor.finding;

/**
 * One thing that was found.
 *
 * @param rule short name that stays the same, for scripts
 * @param evidence the numbers, and where they are from
 * @param cause what they come from
 * @param advice what to do
 * @param expectation what should come of it
 */
public record Finding(
        String rule, Weight weight, String title, String evidence, String cause, String advice, String expectation) {
    /** A measure of how much it matters. */
    public enum Weight {
        /** Something fails, or will. */
        PROBLEM,
        /** Something is slower or less safe than it could be. */
        LIMIT,
        /** Good to know. */
        NOTE
    }

    public static Finding problem(
            String rule, String title, String evidence, String cause, String advice, String expectation) {
        return new Finding(rule, Weight.PROBLEM, title, evidence, cause, advice, expectation);
    }

    public static Finding limit(
            String rule, String title, String evidence, String cause, String advice, String expectation) {
        return new Finding(rule, Weight.LIMIT, title, evidence, cause, advice, expectation);
    }

    public static Finding note(
            String rule, String title, String evidence, String cause, String advice, String expectation) {
        return new Finding(rule, Weight.NOTE, title, evidence, cause, advice, expectation);
    }
}
