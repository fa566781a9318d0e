export type JsonObject = Readonly<Record<string, unknown>>

export function parseObject(text: string): JsonObject {
  try {
    return toObject(JSON.parse(text))
  } catch {
    return {}
  }
}

export function toObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function textIn(object: JsonObject, field: string): string | undefined {
  const value = object[field]
  return typeof value === 'string' ? value : undefined
}
