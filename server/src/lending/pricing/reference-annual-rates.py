"""Annual rates of plans by another method: discounted payments in floating decimals of 60 digits, the root by Newton's
method. Writes reference-annual-rates.tsv. Plans are those of quote.ts: flat interest rounded half up once, parts split
evenly, the last one taking the rest."""

import pathlib
from decimal import ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 60
PERIODS = {"daily": 365, "weekly": 52, "monthly": 12}


def split(total, parts):
    each = total // parts
    return [each] * (parts - 1) + [total - each * (parts - 1)]


def flat(amount, ppm, tenure, fee=0):
    interest = int((Decimal(amount) * ppm * tenure / 1_000_000).to_integral_value(ROUND_HALF_UP))
    return [sum(part) for part in zip(split(amount, tenure), split(interest, tenure), split(fee, tenure))]


def annual(amount, payments, kind):
    rate = Decimal("0.01")
    for _ in range(200):
        value = -Decimal(amount) + sum(Decimal(p) / (1 + rate) ** k for k, p in enumerate(payments, 1))
        slope = -sum(k * Decimal(p) / (1 + rate) ** (k + 1) for k, p in enumerate(payments, 1))
        rate -= value / slope
    yearly = (1 + rate) ** PERIODS[kind] - 1
    return (yearly * 100).quantize(Decimal("0.01"), ROUND_HALF_UP)


plans = [
    ("checkout, 1 month", 6_000_000, flat(6_000_000, 25_000, 1), "monthly"),
    ("checkout, 3 months", 6_000_000, flat(6_000_000, 25_000, 3), "monthly"),
    ("checkout, 6 months", 6_850_000, flat(6_850_000, 25_000, 6), "monthly"),
    ("checkout, 9 months", 12_990_000, flat(12_990_000, 25_000, 9), "monthly"),
    ("checkout, 12 months", 28_500_001, flat(28_500_001, 25_000, 12), "monthly"),
    ("smallest loan", 500_000, flat(500_000, 25_000, 3), "monthly"),
    ("with a fee", 6_000_000, flat(6_000_000, 25_000, 3, 120_000), "monthly"),
    ("a fee and no interest", 6_000_000, flat(6_000_000, 0, 6, 90_000), "monthly"),
    ("standard, 24 months", 50_000_000, flat(50_000_000, 40_000, 24), "monthly"),
    ("standard, 4 weeks", 1_000_000, flat(1_000_000, 10_000, 4), "weekly"),
    ("standard, 52 weeks", 1_000_000, flat(1_000_000, 10_000, 52), "weekly"),
    ("standard, 7 days", 1_000_000, flat(1_000_000, 2_000, 7), "daily"),
    ("standard, 90 days", 1_000_000, flat(1_000_000, 2_000, 90), "daily"),
    ("uneven payments", 1_000_000, [100_000, 0, 950_000], "monthly"),
    ("nothing to pay for", 900_000, flat(900_000, 0, 3), "monthly"),
]
lines = [
    "\t".join([name, str(amount), ",".join(map(str, payments)), kind, str(annual(amount, payments, kind))])
    for name, amount, payments, kind in plans
]
target = pathlib.Path(__file__).with_suffix(".tsv")
target.write_text("\n".join(["name\tpaid out\tpayments\tkind\tpercent a year", *lines]) + "\n")
