// The sweep of pictures that no product, no draft and no version of the book uses.
import { sql } from 'drizzle-orm'
import { sweepPictures } from '#domains/files/pictures.ts'
import type { CommerceShop } from './shop.ts'

const usedPictures = sql`
  with books as (select document from book_draft union all select document from book_versions)
  select cover_id::text as id from products where cover_id is not null
  union select document->'cover'->>'id' from books
  union select notice.value->>'id' from settings,
    jsonb_each(case when jsonb_typeof(fields->'notices') = 'object' then fields->'notices' else '{}' end) notice
  where settings.name = 'shipping'
  union select document->'author'->'portrait'->>'id' from books`

export const sweepUnusedPictures = (services: CommerceShop) => sweepPictures(services, usedPictures)
