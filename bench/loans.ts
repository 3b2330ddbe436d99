/** A loan as an applicant asks for it, each a person of its own. */
export function applicationOf(number: number, tenor: { readonly tenure_type: string; readonly tenure: string }) {
  return {
    first_name: "Adaeze",
    last_name: "Okafor",
    phone: "+2348031234567",
    nin: "12345678901",
    bvn: `22${String(number).padStart(8, "0")}1`,
    amount: "50000",
    email: "adaeze@example.com",
    bank_code: "058",
    account_number: "0123456789",
    longitude: "3.3792",
    latitude: "6.5244",
    ...tenor,
  };
}
