/** Names the holder of a simulated account: made up from bank and number, the same every time, for everybody. */
import { createHash } from "node:crypto";

interface Naming {
  readonly given: readonly string[];
  readonly family: readonly string[];
}

const split = (names: string): readonly string[] => names.split(" ");

/** A person's names come from one tradition, as they mostly do. */
const traditions: readonly Naming[] = [
  {
    given: split(
      "Adebayo Adeola Adunni Ayodele Ayomide Babatunde Bolanle Damilola Ebunoluwa Folake Funmilayo Gbenga Ifeoluwa Jumoke Kayode Kehinde Modupe Morenike Olamide Olumide Omolara Oluwaseun Opeyemi Simisola Taiwo Temitope Titilayo Tolulope Yetunde Yewande",
    ),
    family: split(
      "Abiola Adebisi Adeleke Ademola Adeyemi Afolabi Ajayi Akande Akinola Alabi Awolowo Ayinde Balogun Bamidele Fashola Fasasi Ladipo Lawal Ogunbanjo Ogunleye Ojo Okunola Oladipo Olaniyan Onabanjo Oyelaran Salako Shittu Sowande Williams",
    ),
  },
  {
    given: split(
      "Adaeze Adaobi Amaka Amarachi Chiamaka Chibuzo Chidera Chidi Chidinma Chijioke Chinedu Chinonso Chioma Chukwudi Ebere Emeka Ezinne Ifeanyi Ifeoma Ijeoma Ikenna Kelechi Nkechi Nnamdi Nneka Obinna Ogechi Onyeka Uche Uzoma",
    ),
    family: split(
      "Achebe Agu Amadi Aniebo Anyanwu Asika Azikiwe Chukwu Duru Ekwueme Eze Ezeigbo Ibekwe Igwe Iheanacho Ikpeazu Mbadiwe Mbah Nnadi Nwachukwu Nwankwo Nwosu Obi Odumegwu Ofoegbu Okafor Okeke Okonkwo Onuoha Uzor",
    ),
  },
  {
    given: split(
      "Abdullahi Abubakar Aisha Aliyu Amina Asmau Bashir Bilkisu Fatima Habiba Hadiza Halima Hassan Hauwa Ibrahim Idris Jamilu Kabiru Khadija Maryam Musa Mustapha Nafisa Rabiu Rukayya Sadiq Safiya Umar Yusuf Zainab",
    ),
    family: split(
      "Abacha Adamu Ahmed Bako Balarabe Bello Buhari Dangote Danjuma Dantata Garba Gwarzo Haruna Inuwa Isa Jibril Kano Kwankwaso Lamido Maigari Mohammed Nuhu Rimi Sani Shagari Suleiman Tambuwal Waziri Yakubu Yaradua",
    ),
  },
  {
    given: split(
      "Alex Blessing Charity Comfort Daniel David Ebiere Edet Efe Eghosa Ejiro Ekaette Emmanuel Esther Faith Glory Grace Ibinabo Isaac Itohan Joy Mercy Ndubuisi Osagie Osaretin Patience Peter Precious Ruth Samuel",
    ),
    family: split(
      "Akpabio Alamieyeseigha Asuquo Bassey Briggs Clark Diri Effiong Ekong Enahoro Essien Etim Ibori Idahosa Igbinedion Iyayi Jack Obaseki Ogbemudia Okotie Omoregie Osunde Otuaro Oyakhire Saro Tarfa Udoh Udom Wike Wokoma",
    ),
  },
];

/** `nipCode` is the bank's six-digit code. */
export function accountHolder(nipCode: string, accountNumber: string): string {
  const digest = createHash("sha256").update(`${nipCode}/${accountNumber}`).digest();
  const naming = pick(traditions, digest.readUInt16BE(0));
  const first = pick(naming.given, digest.readUInt16BE(2));
  // The middle name is chosen among the others, so that nobody is called Ada Ada.
  const others = naming.given.filter((name) => name !== first);
  return [first, pick(others, digest.readUInt16BE(4)), pick(naming.family, digest.readUInt16BE(6))].join(" ");
}

function pick<T>(list: readonly T[], number: number): T {
  const found = list[number % list.length];
  if (found === undefined) throw new Error("there is nothing to pick from");
  return found;
}
