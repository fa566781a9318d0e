// What the forms of the site do without scripts: the call of the API that their islands make, with its rules, limits and
// words. A page answers what is refused; what succeeded leads to a page that says so, which a reload does not send again.
import { Hono, type Context } from 'hono'
import { contactPath, messageSentPath } from '#contract/site-paths.ts'
import { isOwnForm, limitForm, onlyForms, readForm } from '#platform/http/forms.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import type { FormAnswer } from '../web/form-answer.ts'
import type { Site } from './site.ts'

type Values = Readonly<Record<string, string>>

export type Call = { method?: 'POST' | 'PUT'; path: string; json: unknown }

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

/** What answers the API's calls, with the environment of the form's request. */
export type CallApi = (request: Request, env: unknown) => Response | Promise<Response>

export function siteForms(site: Pick<Site, 'answerForm'>, callApi: CallApi) {
  const app = new Hono<ApiEnv>()
  for (const form of forms) {
    const { place } = form
    if (place) app.get(form.path, (c) => c.redirect(place, 308))
    app.post(form.path, limitForm, onlyForms, async (c) => {
      const values = await readForm(c)
      if (!isOwnForm(c)) return site.answerForm(c, '/again', 403, { action: c.req.path, values })
      const response = await callApi(toRequest(c, form.call(values, c)), c.env)
      if (response.ok) return c.redirect(form.done(values, c), 303)
      const answer = { action: c.req.path, values, ...(await readRefusal(response)) }
      return site.answerForm(c, form.page, response.status, answer)
    })
  }
  return app
}

/** With what the limits count by; without what would sign in. */
function toRequest(c: Context, { method = 'POST', path, json }: Call): Request {
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const name of ['x-forwarded-for', 'forwarded', 'host']) {
    const value = c.req.header(name)
    if (value) headers.set(name, value)
  }
  return new Request(new URL(path, c.req.url), { method, headers, body: JSON.stringify(json) })
}

async function readRefusal(response: Response): Promise<Pick<FormAnswer, 'problems' | 'notice'>> {
  const { fields, detail } = (await response.json()) as { fields?: Record<string, string>; detail: string }
  return fields ? { problems: fields } : { notice: detail }
}
