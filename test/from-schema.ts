// From a JSON schema, as OpenAPI 3.1 documents carry them, to values that fit it.
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'

export type JsonSchema = {
  type?: string | string[]
  enum?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/** `known` has values for fields whose meaning no schema tells, by their name. */
export function fromSchema(schema: JsonSchema, known: Record<string, unknown> = {}): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = [schema.type ?? 'object'].flat()
  return fc.oneof(...types.map((type) => ofType(type, schema, known)))
}

function ofType(type: string, schema: JsonSchema, known: Record<string, unknown>): Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return ofObject(schema, known)
    case 'array':
      return fc.array(fromSchema(schema.items ?? {}, known), { maxLength: 3 })
    case 'string':
      return ofString(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9 })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      throw new Error(`no values are known for the type ${type}`)
  }
}

function ofObject({ properties = {}, required = [] }: JsonSchema, known: Record<string, unknown>) {
  const fields = Object.entries(properties).map(([name, field]) => {
    const fitting = fromSchema(field, known)
    return [
      name,
      name in known ? fc.oneof({ weight: 9, arbitrary: fc.constant(known[name]) }, fitting) : fitting,
    ] as const
  })
  return fc.record(Object.fromEntries(fields), { requiredKeys: required })
}

function ofString({ format, pattern, minLength = 0, maxLength = 100 }: JsonSchema): Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'email') return fc.emailAddress()
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (pattern)
    return fc
      .stringMatching(new RegExp(pattern))
      .map((text) => text.slice(0, maxLength).padEnd(minLength, 'x'))
  return fc.string({ minLength, maxLength })
}
