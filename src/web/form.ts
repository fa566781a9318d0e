export function readText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

export function readChoice<Choice extends string>(
  form: FormData,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = form.get(name)
  return choices.find((choice) => choice === value)
}
