"""Works out the refunded loans of reference-reductions.tsv by another way than position.ts does.

Run: python3 reference-reductions.py > reference-reductions.tsv

The service replays what happened over positions in whole kobo. Here every instalment is four piles of what is still
owed, naira are Decimals, proportions are exact fractions, and what rounding leaves is dealt out kobo by kobo from the
last instalment backwards. The plans are those of reference-loans.py.

What happens is written as pay:date:amount, refund:date:amount, late:number:amount and back:date:amount (credit is given
back), one after another. A refund sets free what was prepaid for instalments to come. Columns: method, amount, months, percent
per month, fee in percent, fixed fee, start, what happens; total interest, total fees, total repayment, what was paid of
the loan, its balance, credit; then for every instalment its principal, interest and fees after all refunds, and what is
unpaid of it.
"""
from datetime import date
from decimal import Decimal
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

spec = spec_from_file_location("loans", Path(__file__).parents[1] / "pricing" / "reference-loans.py")
loans = module_from_spec(spec)
with redirect_stdout(StringIO()):
    spec.loader.exec_module(loans)

KOBO = Decimal("0.01")
PARTS = ["late", "fees", "interest", "principal"]


def kobo_down(exact):
    return Decimal(int(exact * 100)) / 100


def kobo_half_up(exact):
    return Decimal(int(exact * 100 + Fraction(1, 2))) / 100


def plan_of(method, amount, count, percent, fee_percent, fee_fixed, start):
    amount, rate = Decimal(amount), Decimal(percent) / 100
    principal, interest = (loans.flat if method == "flat" else loans.reducing)(amount, rate, count)
    fees = loans.shares(loans.half_up(amount * Decimal(fee_percent) / 100) + Decimal(fee_fixed), count)
    begins = date.fromisoformat(start)
    return [
        {
            "date": loans.due_date(begins, "monthly", number + 1),
            "due": {"late": Decimal(0), "fees": fees[number], "interest": interest[number], "principal": principal[number]},
            "open": {"late": Decimal(0), "fees": fees[number], "interest": interest[number], "principal": principal[number]},
        }
        for number in range(count)
    ]


def pay(plan, money, parts):
    """Pays the piles in their order and returns what is left over and what was used."""
    used = Decimal(0)
    for instalment in plan:
        for part in parts:
            taken = min(money, instalment["open"][part])
            instalment["open"][part] -= taken
            money -= taken
            used += taken
    return money, used


def take_off(instalment, part, amount):
    instalment["open"][part] -= amount
    instalment["due"][part] -= amount


def paid_of(instalment):
    return sum(instalment["due"].values()) - sum(instalment["open"].values())


def refund(plan, day, money):
    to_come = [instalment for instalment in plan if instalment["date"] > day]
    freed = sum(paid_of(instalment) for instalment in to_come)
    for instalment in to_come:
        instalment["open"] = dict(instalment["due"])
    whole = sum(instalment["open"]["principal"] for instalment in to_come)
    if whole > 0:
        ratio = Fraction(min(money, whole)) / Fraction(whole)
        shares = [kobo_down(Fraction(instalment["open"]["principal"]) * ratio) for instalment in to_come]
        place, missing = len(to_come) - 1, min(money, whole) - sum(shares)
        while missing > 0:
            if shares[place] < to_come[place]["open"]["principal"]:
                shares[place] += KOBO
                missing -= KOBO
            else:
                place -= 1
        for instalment, share in zip(to_come, shares):
            for part in ["fees", "interest"]:
                take_off(instalment, part, kobo_half_up(Fraction(instalment["open"][part]) * ratio))
            take_off(instalment, "principal", share)
            money -= share
    for instalment in plan:
        taken = min(money, instalment["open"]["principal"])
        take_off(instalment, "principal", taken)
        money -= taken
    beyond, used = pay(plan, money, ["late", "fees", "interest"])
    unneeded, used_again = pay(plan, freed, PARTS)
    return beyond + unneeded, used + used_again - freed


def give_back(plan, credit, money):
    """Credit first; what is more is owed again, from the last instalment and part backwards."""
    from_credit = min(credit, money)
    missing = money - from_credit
    for instalment in reversed(plan):
        for part in reversed(PARTS):
            taken = min(missing, instalment["due"][part] - instalment["open"][part])
            instalment["open"][part] += taken
            missing -= taken
    return -from_credit, -(money - from_credit)


def work_out(method, amount, count, percent, fee_percent, fee_fixed, start, happens):
    plan = plan_of(method, amount, count, percent, fee_percent, fee_fixed, start)
    paid = credit = Decimal(0)
    for step in happens.split(","):
        what, when, money = step.split(":")
        if what == "late":
            for piles in ["due", "open"]:
                plan[int(when) - 1][piles]["late"] += Decimal(money)
            continue
        if what == "pay":
            left, used = pay(plan, Decimal(money), PARTS)
        elif what == "back":
            left, used = give_back(plan, credit, Decimal(money))
        else:
            left, used = refund(plan, date.fromisoformat(when), Decimal(money))
        credit += left
        paid += used

    def total(part):
        return sum(instalment["due"][part] for instalment in plan)

    balance = sum(sum(instalment["open"].values()) for instalment in plan)
    totals = [total("interest"), total("fees"), total("interest") + total("fees") + total("principal"), paid, balance, credit]
    rows = ";".join(
        " ".join(f"{cell:.2f}" for cell in [*(i["due"][part] for part in ["principal", "interest", "fees"]), sum(i["open"].values())])
        for i in plan
    )
    given = [method, amount, count, percent, fee_percent, fee_fixed, start, happens]
    return [*given, *(f"{figure:.2f}" for figure in totals), rows]


CHECKOUT = ("flat", "60000.00", 3, "2.5", "0", "0.00", "2026-01-31")
UNEVEN = ("flat", "100000.01", 7, "2.5", "1.5", "99.99", "2026-01-31")
REDUCING = ("reducing", "77777.77", 6, "4", "1.25", "50.00", "2026-01-31")

CASES = [
    # A quarter, all but a kobo, and all of an untouched loan; a kobo of it.
    (*CHECKOUT, "refund:2026-02-01:15000.00"),
    (*CHECKOUT, "refund:2026-02-01:59999.99"),
    (*CHECKOUT, "refund:2026-01-31:60000.00"),
    (*CHECKOUT, "refund:2026-01-31:0.01"),
    # The day before a due date, on it, and the day after.
    (*CHECKOUT, "refund:2026-02-27:30000.00"),
    (*CHECKOUT, "refund:2026-02-28:30000.00"),
    (*CHECKOUT, "refund:2026-03-01:30000.00"),
    # After the first instalment was paid: what is open to come is 40,000.00, what is beyond is credit.
    (*CHECKOUT, "pay:2026-02-28:21500.00,refund:2026-03-05:10000.00"),
    (*CHECKOUT, "pay:2026-02-28:21500.00,refund:2026-03-05:40000.00"),
    (*CHECKOUT, "pay:2026-02-28:21500.00,refund:2026-03-05:55000.00"),
    # The first instalment is due and unpaid: its principal goes last and what it costs stays owed, or is paid.
    (*CHECKOUT, "refund:2026-03-01:40000.00"),
    (*CHECKOUT, "refund:2026-03-01:60000.00"),
    (*CHECKOUT, "late:1:215.00,refund:2026-03-05:60000.00"),
    (*CHECKOUT, "pay:2026-02-10:5000.00,late:1:215.00,refund:2026-03-05:60000.00"),
    (*CHECKOUT, "late:1:215.00,refund:2026-03-05:45000.00,pay:2026-03-06:16715.00"),
    (*CHECKOUT, "pay:2026-02-28:21500.00,late:2:215.00,refund:2026-04-05:40300.00"),
    # Everything is due.
    (*CHECKOUT, "refund:2026-05-15:12345.67"),
    (*CHECKOUT, "refund:2026-05-15:60000.00,pay:2026-05-16:4000.00"),
    # Part of an instalment to come was prepaid, interest and some principal.
    (*CHECKOUT, "pay:2026-02-10:25000.00,refund:2026-02-11:20000.00"),
    (*CHECKOUT, "pay:2026-02-10:22000.00,refund:2026-02-11:20000.00"),
    # Refunds one after another, and all at the end of a paid loan.
    (*CHECKOUT, "refund:2026-02-01:0.01,refund:2026-02-01:0.01,refund:2026-02-01:0.01,refund:2026-02-02:333.33"),
    (*CHECKOUT, "refund:2026-02-01:20000.00,pay:2026-02-28:14333.33,refund:2026-03-15:20000.00"),
    (*CHECKOUT, "pay:2026-02-28:64500.00,refund:2026-03-05:20000.00"),
    (*CHECKOUT, "pay:2026-02-28:64500.00,refund:2026-03-05:20000.00,refund:2026-03-06:40000.00"),
    # Amounts that do not divide, with fees.
    (*UNEVEN, "refund:2026-02-01:33333.33"),
    (*UNEVEN, "refund:2026-02-01:100000.00"),
    (*UNEVEN, "pay:2026-02-28:17000.00,refund:2026-03-01:12345.67,refund:2026-04-15:7.77"),
    (*UNEVEN, "pay:2026-02-05:1.23,late:1:171.44,late:2:171.44,refund:2026-04-02:99999.99"),
    (*UNEVEN, "refund:2026-02-28:85714.29"),
    (*UNEVEN, "refund:2026-02-28:85714.30,pay:2026-03-01:100.00"),
    ("flat", "5000.00", 12, "2.5", "0", "0.00", "2026-08-31", "refund:2026-09-01:4999.93"),
    ("flat", "1000000.00", 12, "2.5", "0", "0.00", "2024-02-29", "pay:2024-03-29:108333.33,refund:2024-04-01:250000.01"),
    ("flat", "5000.00", 1, "2.5", "0", "0.00", "2026-01-31", "refund:2026-02-28:1000.00"),
    ("flat", "5000.00", 1, "2.5", "0", "0.00", "2026-01-31", "refund:2026-02-27:1000.00"),
    # A reducing balance shrinks by the same rule.
    (*REDUCING, "refund:2026-02-01:7777.77"),
    (*REDUCING, "refund:2026-03-15:50000.00,pay:2026-03-16:1000.00"),
    (*REDUCING, "pay:2026-02-28:15000.00,refund:2026-03-01:77777.77"),
    (*REDUCING, "pay:2026-02-28:15000.00,late:2:150.00,refund:2026-04-02:30000.00,refund:2026-04-30:20000.00"),
]

CASES += [
    # What was prepaid on the first day comes back whole, whatever it was.
    (*CHECKOUT, "pay:2026-01-31:30000.00,refund:2026-01-31:60000.00"),
    (*CHECKOUT, "pay:2026-01-31:64500.00,refund:2026-01-31:60000.00"),
    (*CHECKOUT, "pay:2026-01-31:64500.00,refund:2026-01-31:20000.00,refund:2026-02-01:40000.00"),
    (*UNEVEN, "pay:2026-02-01:55555.55,refund:2026-02-02:100000.01"),
    (*UNEVEN, "pay:2026-02-01:55555.55,refund:2026-02-02:33333.34"),
    (*REDUCING, "pay:2026-02-01:22222.22,refund:2026-02-02:77777.77"),
    (*REDUCING, "pay:2026-02-01:22222.22,refund:2026-02-02:11111.11"),
    # The first instalment is due and paid, the second prepaid in part: what the first cost stays.
    (*CHECKOUT, "pay:2026-02-28:31500.00,refund:2026-03-01:40000.00"),
    (*CHECKOUT, "pay:2026-02-28:31500.00,refund:2026-03-01:55000.00"),
    (*CHECKOUT, "pay:2026-02-28:31500.00,refund:2026-03-01:60000.00,back:2026-03-02:30000.00"),
    # Money goes on after credit was given back, and is owed again where the credit had gone.
    (*CHECKOUT, "pay:2026-02-01:60000.00,refund:2026-02-02:20000.00,back:2026-02-03:17000.00,refund:2026-02-04:10000.00"),
    (*CHECKOUT, "pay:2026-02-01:60000.00,refund:2026-02-02:20000.00,back:2026-02-03:21500.00"),
    (*CHECKOUT, "pay:2026-02-01:60000.00,refund:2026-02-02:20000.00,back:2026-02-03:41500.00,pay:2026-02-04:25000.00"),
]

for case in CASES:
    print("\t".join(str(cell) for cell in work_out(*case)))
