// Reads the fields of a submitted form as text.

/** Empty where the form has no such field, or a file in it. */
export function readText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** Undefined where the value is none of `choices`. */
export function readChoice<Choice extends string>(
  form: FormData,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = form.get(name)
  return choices.find((choice) => choice === value)
}
