import { formatNaira } from "../shared/naira.ts";
import type { Plan } from "./checkout-view.ts";

interface PlanChoiceProps {
  readonly offers: readonly Plan[];
  readonly chosen: number | null;
  onChoose(tenor: number): void;
}

export function PlanChoice({ offers, chosen, onChoose }: PlanChoiceProps) {
  return (
    <fieldset className="plans">
      <legend className="visually-hidden">Number of months</legend>
      {offers.map((offer) => (
        <label key={offer.tenor} className="plan">
          <input
            type="radio"
            name="tenor"
            value={offer.tenor}
            checked={offer.tenor === chosen}
            onChange={() => onChoose(offer.tenor)}
          />
          <span className="plan-months">{offer.tenor === 1 ? "1 month" : `${offer.tenor} months`}</span>
          <span className="plan-each amount">{formatNaira(offer.installmentAmount)}</span>
          <span className="plan-note amount">{formatNaira(offer.totalRepayment)} in total</span>
          <span className="plan-note plan-unit">{offer.tenor === 1 ? "once" : "a month"}</span>
        </label>
      ))}
    </fieldset>
  );
}
