/** What must be there, such as a part that every picture has. */
export function present<Value>(value: Value | null | undefined, name: string): Value {
  if (value === null || value === undefined) throw new TypeError(`${name} is missing`);
  return value;
}
