// Which field of a form a refusal is about: only that one is marked as wrong.

export type FieldName = 'email' | 'password' | 'confirm'

/** By GoTrue's code. An address is the one thing that browsers let pass and the shop may not. */
const fields: Record<string, FieldName> = {
  validation_failed: 'email',
  weak_password: 'password',
  invalid_credentials: 'password',
}

/** Undefined where no field is to blame: the shop is away, or was asked too often. */
export function wrongField(code = ''): FieldName | undefined {
  return fields[code]
}
