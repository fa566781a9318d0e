// Reads JSON without a schema library, which the public pages do not load.

export type JsonObject = Readonly<Record<string, unknown>>

/** Empty where the text is no JSON, or holds no object. */
export function parseObject(text: string): JsonObject {
  try {
    return toObject(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Empty where the value is no object. */
export function toObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Undefined where the field is no text. */
export function textIn(object: JsonObject, field: string): string | undefined {
  const value = object[field]
  return typeof value === 'string' ? value : undefined
}
