package io.drey.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class RateTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void isTheMeanFromTheStart() {
        Rate rate = new Rate(5 * SECOND, 60);
        assertThat(rate.perSecond(5 * SECOND)).isZero();
        rate.add(7 * SECOND, 20);
        assertThat(rate.perSecond(7 * SECOND)).isCloseTo(10, within(0.2));
        rate.add(9 * SECOND, 20);
        assertThat(rate.perSecond(9 * SECOND)).isCloseTo(10, within(0.5));
    }

    @Test
    void forgetsWhatIsOld() {
        Rate rate = new Rate(0, 10);
        for (int i = 1; i <= 100; i++) {
            rate.add(i * SECOND, 5);
        }
        assertThat(rate.perSecond(100 * SECOND)).isCloseTo(5, within(0.3));
        assertThat(rate.perSecond(110 * SECOND)).isCloseTo(5 / Math.E, within(0.2));
        assertThat(rate.perSecond(300 * SECOND)).isLessThan(0.001);
    }

    @Test
    void aBudgetPaysItsDebtAndSavesLittle() {
        Budget budget = new Budget(0);
        budget.income(0, 100);
        assertThat(budget.delayNanos()).isZero();
        budget.spend(50);
        assertThat(budget.delayNanos()).isEqualTo(SECOND / 2);
        budget.income(SECOND / 4, 100);
        assertThat(budget.delayNanos()).isEqualTo(SECOND / 4);
        budget.income(100 * SECOND, 100);
        budget.spend(10);
        assertThat(budget.delayNanos()).isEqualTo(SECOND / 20);
    }

    @Test
    void aBudgetForgivesAHugeDebt() {
        Budget budget = new Budget(0);
        budget.income(0, 10);
        budget.spend(1e9);
        budget.income(SECOND, 10);
        assertThat(budget.delayNanos()).isEqualTo(3 * SECOND);
        budget.income(5 * SECOND, 10);
        assertThat(budget.delayNanos()).isZero();
    }

    @Test
    void withoutIncomeNobodySpends() {
        Budget budget = new Budget(0);
        budget.spend(1);
        assertThat(budget.delayNanos()).isEqualTo(Long.MAX_VALUE);
    }
}
