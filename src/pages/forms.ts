// What the forms of the site do without scripts: the call of the API that their islands make, with its rules, limits and
// words. A page answers what is refused; what succeeded leads to a page that says so, which a reload does not send again.
import { Hono, type Context } from 'hono'
import { contactPath, messageSentPath } from '#contract/site-paths.ts'
import type { BookShop } from '#domains/book/shop.ts'
import { isOwnForm, limitForm, onlyForms, readForm } from '#platform/http/forms.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import { readRefusal, type Call, type CallApi } from './api-calls.ts'
import { buyingPages } from './buying.ts'
import { returnedPages } from './returned.ts'
import type { Site } from './site.ts'

type Values = Readonly<Record<string, string>>

type Form = {
  /** Where it is posted to. */
  path: string
  /** The page of the site that shows it. */
  page: string
  /** Where it stands, for who comes to its address otherwise. */
  place?: string
  call: (values: Values, c: Context) => Call
  /** Where it leads. */
  done: (values: Values, c: Context) => string
}

const pick = (values: Values, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, values[name] || undefined]))

const forms: readonly Form[] = [
  {
    path: contactPath,
    page: '/',
    place: '/#contact',
    call: (values) => ({
      path: '/api/contact',
      json: pick(values, ['key', 'name', 'email', 'subject', 'message', 'website']),
    }),
    done: () => `${messageSentPath}#contact`,
  },
]

export function siteForms(shop: BookShop, site: Pick<Site, 'answer' | 'handle'>, callApi: CallApi) {
  const app = new Hono<ApiEnv>()
  for (const form of forms) {
    const { place } = form
    if (place) app.get(form.path, (c) => c.redirect(place, 308))
    app.post(form.path, limitForm, onlyForms, async (c) => {
      const values = await readForm(c)
      if (!isOwnForm(c))
        return site.answer(c, '/again', { status: 403, form: { action: c.req.path, values } })
      const response = await callApi(c, form.call(values, c))
      if (response.ok) return c.redirect(form.done(values, c), 303)
      const { problems, notice } = await readRefusal(response)
      const answer = { action: c.req.path, values, problems, notice }
      return site.answer(c, form.page, { status: response.status, form: answer })
    })
  }
  app.route('/', buyingPages({ shop, site, callApi }))
  return app.route('/', returnedPages({ site, callApi }))
}
