// Texts with placeholders in braces: the compiler asks for each of them, and for no other.

export type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never

export function fill<Text extends string>(
  text: Text,
  values: { [Name in Placeholder<Text>]: string | number },
): string {
  const all: Record<string, string | number> = values
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(all[name]))
}
