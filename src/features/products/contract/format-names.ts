// Without zod: the home page carries this.
import type { Format } from './products.ts'

export const formatNames: Record<Format, string> = {
  digital: 'Digital',
  paperback: 'Paperback',
  hardcover: 'Hardcover',
  bundle: 'Bundle',
}
