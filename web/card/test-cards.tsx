import { Icon } from "../shared/icons.tsx";
import { type CardEntry, groupNumber } from "./card-entry.ts";

const cards = [
  { number: "4084084084084081", outcome: "Saved" },
  { number: "4084080000005408", outcome: "Declined" },
  { number: "5060666666666666666", outcome: "Saved, later payments fail" },
  { number: "4084080000003031", outcome: "Saved, your bank asks before each payment" },
  { number: "4084080000007008", outcome: "Saved, refunds take days" },
] as const;

interface TestCardsProps {
  /** The sandbox's clock, from which the expiry date is made. */
  readonly now: string;
  onChoose(entry: CardEntry): void;
}

/** Only in a sandbox: a press fills the form with a card whose outcome is known. */
export function TestCards({ now, onChoose }: TestCardsProps) {
  const year = String((new Date(now).getUTCFullYear() + 3) % 100).padStart(2, "0");
  return (
    <section className="test-cards" aria-labelledby="test-cards">
      <h2 id="test-cards">
        <Icon name="flask" />
        Test cards
      </h2>
      <ul>
        {cards.map(({ number, outcome }) => (
          <li key={number}>
            <button
              type="button"
              onClick={() => onChoose({ number: groupNumber(number), expiry: `12 / ${year}`, cvv: "408" })}
            >
              <span className="test-number">{groupNumber(number)}</span>
              <span>{outcome}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
