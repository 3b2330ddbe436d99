/**
 * Whether two spellings name the same account holder. Banks and merchants write names differently: in another order,
 * in capitals, with titles, without the middle name. Those differences are forgiven; a different word is not.
 *
 * A business has no middle name. "Adaeze Okafor Foods Ltd" is not Adaeze Okafor, nor is it "Okafor Foods": where either
 * name has a word of business, every word counts, in whatever order. Only its form may be left out, where the rest says
 * that it is a business: "Jara Foods" is "Jara Foods Ltd", and Adaeze Okafor is not "Adaeze Okafor Ltd".
 */
const titles: ReadonlySet<string> = new Set(
  [
    "MR MRS MS MISS MASTER DR PROF CHIEF ALHAJI ALHAJA MALLAM ENGR BARR ARC SIR LADY REV PASTOR EVANG HON OTUNBA",
    "PRINCE PRINCESS",
  ].flatMap((line) => line.split(" ")),
);

/** "Okafor & Sons" and "Okafor and Sons" are the same. */
const unsaid: ReadonlySet<string> = new Set(["AND", "THE"]);

/** Spellings of the same company form. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["LIMITED", "LTD"],
  ["COMPANY", "CO"],
  ["CORPORATION", "CORP"],
  ["INCORPORATED", "INC"],
  ["ENTERPRISE", "ENT"],
  ["ENTERPRISES", "ENT"],
  ["INTERNATIONAL", "INTL"],
  ["NIGERIA", "NIG"],
  ["BROTHERS", "BROS"],
]);

/** Forms and trades that stand in the names of businesses, and of which none is a name that people bear. */
const businessWords: ReadonlySet<string> = new Set(
  [
    "LTD PLC CO CORP INC LLC LLP GTE ENT NIG INTL GLOBAL GROUP HOLDINGS INDUSTRIES INDUSTRIAL VENTURE VENTURES",
    "INVESTMENT INVESTMENTS RESOURCES SERVICE SERVICES SOLUTION SOLUTIONS CONCEPT CONCEPTS CONSULT CONSULTING",
    "CONSULTANTS ASSOCIATES PARTNERS AGENCY AGENCIES BROS SONS TRADING TRADERS MERCHANDISE STORE STORES SHOP SHOPS",
    "MART SUPERMARKET SUPERMARKETS BOUTIQUE COLLECTION COLLECTIONS FASHIONS FABRICS TEXTILES FOOD FOODS KITCHEN",
    "KITCHENS RESTAURANT BAKERY CATERING BEVERAGES FARM FARMS AGRO POULTRY PHARMACY PHARMACIES PHARMACEUTICALS",
    "HOSPITAL HOSPITALS CLINIC CLINICS LABORATORIES SCHOOL SCHOOLS ACADEMY COLLEGE HOTEL HOTELS SUITES TRAVELS TOURS",
    "TRANSPORT LOGISTICS MOTORS AUTOS ELECTRONICS ELECTRICALS TECHNOLOGY TECHNOLOGIES TECH DIGITAL SYSTEMS SOFTWARE",
    "COMMUNICATIONS TELECOMS MEDIA STUDIOS PRINTING CONSTRUCTION CONSTRUCTIONS ENGINEERING PROPERTIES ESTATES HOMES",
    "ENERGY PETROLEUM LUBRICANTS COOPERATIVE FOUNDATION MINISTRIES MICROFINANCE MFB BANK FINANCE CAPITAL INSURANCE",
  ].flatMap((line) => line.split(" ")),
);

/** What businesses leave out of their own names. */
const companyForms: ReadonlySet<string> = new Set(["LTD", "PLC", "NIG", "CO"]);

export function namesMatch(expected: string, actual: string): boolean {
  const [short, long] = [wordsOf(expected), wordsOf(actual)].sort((left, right) => left.length - right.length);
  if (short === undefined || long === undefined || short.length === 0) return false;
  const missing = [...long];
  for (const word of short) {
    const place = missing.indexOf(word);
    if (place < 0) return false;
    missing.splice(place, 1);
  }
  return missing.length === 0 || mayBeLeftOut(missing, short);
}

/** A person's middle name, or the form of a company that is named by its trade. */
function mayBeLeftOut(missing: readonly string[], short: readonly string[]): boolean {
  // One word out of several would match half the country.
  if (short.length === 1) return false;
  const isBusiness = (word: string): boolean => businessWords.has(word);
  if (short.some(isBusiness)) return missing.every((word) => companyForms.has(word));
  return !missing.some(isBusiness);
}

function wordsOf(name: string): string[] {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .replace(/['’`]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !titles.has(word) && !unsaid.has(word))
    .map((word) => synonyms.get(word) ?? word);
}
