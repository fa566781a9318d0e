// The author's stock answers, which are put into a reply.
import type { z } from 'zod'
import { eq, sql, asc } from 'drizzle-orm'
import { maxSnippets, type Snippet, type snippetRequest } from '#contract/readers/messages.ts'
import type { Db } from '#platform/db/client.ts'
import { reply_snippets } from '#tables/readers.ts'
import { readerProblem } from './problem.ts'

export async function listSnippets(db: Db): Promise<{ items: Snippet[] }> {
  const { id, title, body } = reply_snippets
  const items = await db.select({ id, title, body }).from(reply_snippets).orderBy(asc(title), asc(id))
  return { items }
}

export async function saveSnippet(
  db: Db,
  id: string,
  { title, body }: z.output<typeof snippetRequest>,
): Promise<Snippet> {
  return db.transaction(async (tx) => {
    // The second of two that are added at once counts the first.
    await tx.execute(sql`lock table ${reply_snippets} in share row exclusive mode`)
    const [changed] = await tx
      .update(reply_snippets)
      .set({ title, body })
      .where(eq(reply_snippets.id, id))
      .returning({ id: reply_snippets.id })
    if (!changed) {
      if ((await tx.$count(reply_snippets)) >= maxSnippets) throw readerProblem('messages.snippets_full')
      await tx.insert(reply_snippets).values({ id, title, body })
    }
    return { id, title, body }
  })
}

export async function deleteSnippet(db: Db, id: string): Promise<Snippet> {
  const [deleted] = await db.delete(reply_snippets).where(eq(reply_snippets.id, id)).returning()
  if (!deleted) throw readerProblem('messages.snippet_not_found')
  return { id, title: deleted.title, body: deleted.body }
}
