/** The messages about plays, and the translations of a page. */

import { MESSAGES } from "../generated/messages.js";
import { entriesOf, fieldOf, reading, refuse, unfit } from "./problems.js";
import type { MessageName, Messages } from "./types.js";

export { MESSAGES };

const PATH = "options.translations";

/** The messages of a call, with these translations in place of some. @internal */
export function readTranslations(others: unknown): Messages {
  if (others === undefined) return MESSAGES;
  return reading(PATH, () => {
    const entries = entriesOf(others, PATH, Object.keys(MESSAGES) as (keyof Messages)[]);
    const read = entries.map(([name, template]) => [name, readTemplate(name, template, fieldOf(PATH, name))]);
    return { ...MESSAGES, ...(Object.fromEntries(read) as Partial<Messages>) };
  });
}

/** A message, of which nothing is read afterwards. */
function readTemplate(name: keyof Messages, template: unknown, path: string): unknown {
  if (name !== "numbers") {
    const isRight = typeof template === "string" || typeof template === "function";
    return isRight ? template : refuse([unfit(path, "type", "string or function", template)]);
  }
  const texts: unknown[] | null = Array.isArray(template) ? [...template] : null;
  const areRight = texts?.every((text) => typeof text === "string");
  return areRight ? texts : refuse([unfit(path, "type", "array of strings", template)]);
}

/** The values that replace their names in braces. */
export type Fields = Readonly<Record<string, unknown>>;

/** Return the message of this name, with these fields. @internal */
export function formatMessage(messages: Messages, key: MessageName, fields: Fields): string {
  const template = messages[key];
  return typeof template === "function" ? String(template(fields)) : fillFields(template, fields);
}

/** A text with these fields in it. @internal */
export const fillFields = (text: string, fields: Fields): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => `${fields[name] ?? whole}`);
