// Text of a draft: as it was typed, without what PostgreSQL cannot hold.
import { z } from 'zod'

export function typed() {
  return z
    .string()
    .default('')
    .transform((text) => text.toWellFormed().replaceAll('\0', ''))
}
