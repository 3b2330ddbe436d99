interface MerchantMarkProps {
  readonly name: string;
  /** A path of this server. */
  readonly logo: string | null;
}

/** Whose customer this is. The name says it all, so the picture is silent. */
export function MerchantMark({ name, logo }: MerchantMarkProps) {
  return (
    <p className="merchant-mark">
      {logo === null ? null : <img src={logo} alt="" className="merchant-logo" />}
      <span>{name}</span>
    </p>
  );
}
