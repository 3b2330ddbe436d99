/** Who somebody is: asked in the same way for loans and for customers. */
import { type Question, shape } from "../ask.ts";

type Name = "firstName" | "lastName" | "phone" | "email" | "bvn";

export type PersonOptions = Readonly<Partial<Record<Name, string>>>;

export const personQuestions: readonly Question<Name>[] = [
  { name: "firstName", message: "First name", check: shape("some") },
  { name: "lastName", message: "Last name", check: shape("some") },
  { name: "phone", message: "Phone number", check: shape("phone") },
  { name: "email", message: "E-mail", check: shape("some") },
  { name: "bvn", message: "BVN", check: shape("eleven") },
];
