// The currency that a purchase of this moment is made in, for queries.
import { sql } from 'drizzle-orm'

/** ISO code in lower case. As the database has it: the settings in memory may be a second old. */
export const shopCurrency = sql<string>`shop_currency()`
