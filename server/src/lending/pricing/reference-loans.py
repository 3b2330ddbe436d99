"""Works out the loans of reference-loans.tsv by another way than quote.ts does.

Run: python3 reference-loans.py > reference-loans.tsv

The service computes in whole kobo with ratios of integers. Here naira are Decimals of 60 digits, the equal instalment
of a reducing balance is the amount divided by the sum of the discount factors 1/(1+r)^k (added up one by one, no closed
form), dates are counted by hand from the calendar's month lengths, and an early settlement is added up from its
definition.

Columns: method, amount, tenure type, tenure, percent per period, fee in percent, fixed fee, start; total interest, total
repayment, late fee of the first instalment, a date, what settles the unpaid loan on it; then for every instalment its
date, principal, interest and fees.
"""
from calendar import monthrange
from datetime import date, timedelta
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 60
KOBO = Decimal("0.01")


def half_up(naira):
    return naira.quantize(KOBO, rounding=ROUND_HALF_UP)


def down(naira):
    return naira.quantize(KOBO, rounding=ROUND_DOWN)


def shares(total, count):
    """Equal shares rounded down; what is left over goes to the last."""
    dealt = [down(total / count) for _ in range(count - 1)]
    return dealt + [total - sum(dealt, Decimal(0))]


def months_later(start, count):
    year, month = start.year, start.month
    for _ in range(count):
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return date(year, month, min(start.day, monthrange(year, month)[1]))


def due_date(start, unit, count):
    if unit == "monthly":
        return months_later(start, count)
    return start + timedelta(days=count * (7 if unit == "weekly" else 1))


def reducing(amount, rate, count):
    factors, factor = Decimal(0), Decimal(1)
    for _ in range(count):
        factor = factor / (1 + rate)
        factors += factor
    instalment = half_up(amount / factors)
    owed, principal, interest = amount, [], []
    for number in range(1, count + 1):
        cost = half_up(owed * rate)
        repaid = owed if number == count else instalment - cost
        owed -= repaid
        principal.append(repaid)
        interest.append(cost)
    return principal, interest


def flat(amount, rate, count):
    return shares(amount, count), shares(half_up(amount * rate * count), count)


def work_out(method, amount, unit, count, percent, fee_percent, fee_fixed, start, settled):
    amount, rate = Decimal(amount), Decimal(percent) / 100
    principal, interest = (flat if method == "flat" else reducing)(amount, rate, count)
    fees = shares(half_up(amount * Decimal(fee_percent) / 100) + Decimal(fee_fixed), count)
    begins, ends = date.fromisoformat(start), date.fromisoformat(settled)
    dates = [due_date(begins, unit, number) for number in range(1, count + 1)]
    begun = [True] + [ends > before for before in dates[:-1]]
    owed = sum(principal) + sum(fees) + sum(i for i, has in zip(interest, begun) if method == "flat" or has)
    late = max(half_up((principal[0] + interest[0] + fees[0]) / 100), Decimal("100.00"))
    rows = ";".join(f"{d} {p:.2f} {i:.2f} {f:.2f}" for d, p, i, f in zip(dates, principal, interest, fees))
    total = sum(principal) + sum(interest) + sum(fees)
    given = [method, f"{amount:.2f}", unit, count, percent, fee_percent, f"{Decimal(fee_fixed):.2f}", start]
    return [*given, f"{sum(interest):.2f}", f"{total:.2f}", f"{late:.2f}", settled, f"{owed:.2f}", rows]


LOANS = [
    # The standard product at its edges and at round amounts.
    ("flat", "1000.00", "daily", 7, "0.2", "0", "0", "2026-03-02", "2026-03-04"),
    ("flat", "1000.00", "weekly", 1, "1", "0", "0", "2026-03-02", "2026-03-04"),
    ("flat", "1000.00", "monthly", 1, "4", "0", "0", "2026-01-31", "2026-02-01"),
    ("flat", "5000000.00", "daily", 90, "0.2", "0", "0", "2026-03-02", "2026-05-01"),
    ("flat", "5000000.00", "weekly", 52, "1", "0", "0", "2026-03-02", "2026-12-24"),
    ("flat", "5000000.00", "monthly", 24, "4", "0", "0", "2026-08-31", "2028-02-29"),
    ("flat", "50000.00", "weekly", 4, "1", "0", "0", "2026-11-01", "2026-11-08"),
    ("flat", "50000.00", "monthly", 3, "4", "0", "0", "2026-11-30", "2026-12-30"),
    ("flat", "100000.00", "monthly", 12, "4", "0", "0", "2026-01-31", "2026-06-30"),
    ("flat", "120000.00", "monthly", 12, "4", "0", "0", "2027-12-31", "2028-02-29"),
    # Amounts that do not divide.
    ("flat", "100000.01", "monthly", 3, "4", "0", "0", "2026-01-30", "2026-02-28"),
    ("flat", "99999.99", "monthly", 7, "4", "0", "0", "2026-01-29", "2026-03-30"),
    ("flat", "12345.67", "weekly", 13, "1", "0", "0", "2026-02-24", "2026-03-03"),
    ("flat", "1234.56", "daily", 11, "0.2", "0", "0", "2026-02-24", "2026-03-01"),
    ("flat", "77777.77", "daily", 77, "0.2", "0", "0", "2024-02-28", "2024-03-01"),
    ("flat", "1000.01", "monthly", 24, "4", "0", "0", "2024-02-29", "2025-02-28"),
    ("flat", "3333.33", "weekly", 52, "1", "0", "0", "2026-12-28", "2027-01-04"),
    ("flat", "10001.00", "monthly", 6, "4", "0", "0", "2026-10-31", "2026-11-30"),
    ("flat", "4567.89", "daily", 31, "0.2", "0", "0", "2026-12-15", "2027-01-01"),
    # Exactly half a kobo of interest: rounded up.
    ("flat", "1000.25", "weekly", 2, "1", "0", "0", "2026-05-04", "2026-05-11"),
    ("flat", "1000.50", "weekly", 1, "1", "0", "0", "2026-05-04", "2026-05-05"),
    # Fees, as a part of the amount, fixed, and both.
    ("flat", "50000.00", "monthly", 5, "4", "1.5", "0", "2026-01-31", "2026-05-31"),
    ("flat", "50000.00", "weekly", 6, "1", "0", "500.00", "2026-01-31", "2026-02-14"),
    ("flat", "33333.33", "monthly", 7, "2.75", "1.25", "99.99", "2026-03-31", "2026-09-30"),
    ("reducing", "33333.33", "monthly", 7, "2.75", "1.25", "99.99", "2026-03-31", "2026-06-30"),
    # A reducing balance: round, uneven, short, long, cheap, dear, free.
    ("reducing", "10000.00", "monthly", 12, "1", "0", "0", "2026-01-01", "2026-07-01"),
    ("reducing", "100000.00", "monthly", 12, "4", "0", "0", "2026-01-31", "2026-02-28"),
    ("reducing", "100000.00", "monthly", 12, "4", "0", "0", "2026-01-31", "2026-03-01"),
    ("reducing", "5000000.00", "monthly", 24, "4", "0", "0", "2026-08-31", "2027-08-31"),
    ("reducing", "5000000.00", "weekly", 52, "1", "0", "0", "2026-08-31", "2026-09-01"),
    ("reducing", "5000000.00", "daily", 90, "0.2", "0", "0", "2026-08-31", "2026-10-15"),
    ("reducing", "1000.00", "monthly", 1, "4", "0", "0", "2026-01-31", "2026-02-15"),
    ("reducing", "1000.00", "monthly", 24, "4", "0", "0", "2024-02-29", "2024-03-29"),
    ("reducing", "1000.00", "daily", 7, "0.2", "0", "0", "2026-02-26", "2026-02-26"),
    ("reducing", "12345.67", "weekly", 13, "1", "0", "0", "2026-02-24", "2026-04-01"),
    ("reducing", "99999.99", "monthly", 7, "3.3333", "0", "0", "2026-01-29", "2026-05-01"),
    ("reducing", "250000.00", "monthly", 18, "2.5", "0", "0", "2026-05-31", "2027-02-28"),
    ("reducing", "77777.77", "monthly", 6, "10", "0", "0", "2026-09-30", "2026-11-01"),
    ("reducing", "1500.50", "weekly", 9, "0.75", "0", "0", "2026-07-07", "2026-07-21"),
    ("reducing", "640000.00", "monthly", 10, "0.0001", "0", "0", "2026-07-07", "2027-05-07"),
    ("reducing", "9876.54", "monthly", 11, "0", "0", "0", "2026-07-07", "2026-07-08"),
    ("flat", "9876.54", "monthly", 11, "0", "0", "0", "2026-07-07", "2026-07-08"),
    ("reducing", "1000000.00", "monthly", 24, "20", "0", "0", "2026-01-31", "2026-12-31"),
    ("reducing", "333.33", "daily", 30, "0.5", "0", "0", "2027-02-01", "2027-02-14"),
    ("reducing", "4999999.99", "weekly", 51, "0.9999", "2", "1000.00", "2026-01-01", "2026-12-31"),
    ("reducing", "100000.00", "monthly", 360, "0.5", "0", "0", "2026-01-31", "2056-01-31"),
]

for loan in LOANS:
    print("\t".join(str(cell) for cell in work_out(*loan)))
