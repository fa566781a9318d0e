// The address of a product's picture.
import { sql } from 'drizzle-orm'
import { products } from './schema.ts'

/** Where browsers find it, for the row of products around it; null without one. */
export const coverUrl = sql<string | null>`'/api/' || ${products.cover_path}`
