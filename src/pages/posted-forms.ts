// The rules that the forms of the site share: their size and type, whose they are, and the pages that answer a form that is not
// taken.
import type { Context, MiddlewareHandler } from 'hono'
import { isOwnForm, limitForm, onlyForms, readForm } from '#platform/http/forms.ts'
import { renderProblem, renderRefusals } from '#platform/http/errors.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import { limitPages, type PageLimit } from './page-limit.ts'
import type { Site } from './site.ts'

export type Values = Readonly<Record<string, string>>

type Answers = Pick<Site, 'answer'>

/**
 * Answers by a page of its own what is refused before a page could show it beside a field; `back` is where it leads. A shop
 * without a book to show, as where the database has never been there, answers with a problem document.
 */
export const refuseByPage = (
  site: Answers,
  back: (c: Context) => string = ({ req }) => req.path,
): MiddlewareHandler<ApiEnv> =>
  renderRefusals(async (refusal, c, request_id) => {
    const { code, status, retryAfter } = refusal
    try {
      return await site.answer(c, '/refused', {
        status,
        retryAfter,
        shown: { refused: { code, back: back(c) } },
      })
    } catch {
      return renderProblem(refusal, c, request_id)
    }
  })

/** Comes before what a form does. `limit` is that of pages: a page responds to each form. */
export const takeForms = (
  { site, limit }: { site: Answers; limit: PageLimit },
  back?: (c: Context) => string,
) => [limitPages(limit), refuseByPage(site, back), limitForm, onlyForms] as const

/** The fields of a form of one of the shop's pages. The page that sends any other from here shows `resent`. */
export async function readOwnForm(
  c: Context,
  site: Answers,
  resent: (values: Values) => Values = (values) => values,
): Promise<Values | Response> {
  const values = await readForm(c)
  return isOwnForm(c) ? values : sendFromHere(c, site, resent(values))
}

export const sendFromHere = (c: Context, site: Answers, values: Values): Promise<Response> =>
  site.answer(c, '/again', { status: 403, form: { action: c.req.path, values } })
