// The forms of the site without scripts: each makes the call of the API that its island makes, with its rules, limits and
// words. A page answers what is refused; what succeeded leads to a page that says so, which a reload does not send again.
import { randomUUID } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { v5 as uuidv5 } from 'uuid'
import { linkedMailChoices } from '#contract/delivery/editions.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import { subscription } from '#contract/mail/subscribers.ts'
import { findPurchaseMessage, searchProblems } from '#contract/readers/find-purchase-message.ts'
import {
  contactPath,
  excerptPath,
  findPurchasePath,
  lettersPath,
  mailChoicesPattern,
  messageSentPath,
  outcomePaths,
  receiptsPath,
  samePath,
  tellMePattern,
} from '#contract/paths.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { requireShortAddress } from '#platform/http/errors.ts'
import { isForm, isOwnForm, limitForm, readForm } from '#platform/http/forms.ts'
import { platformProblem } from '#platform/problem.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import { withTexts } from '#words/wording.ts'
import { readRefusal, type Call, type CallApi, type Refusal, pageStatus } from './api-calls.ts'
import { buyingPages } from './buying.ts'
import type { Shown } from './page-answer.ts'
import { openPageLimit } from './page-limit.ts'
import { guestPurchasePages } from './guest-purchase.ts'
import type { Site } from './site.ts'
import { refuseByPage, sendFromHere, type Values } from './posted-forms.ts'
import { withdrawingPages } from './withdrawing.ts'

type Form = {
  /** The address that it is posted to. */
  path: string
  /** The page of the site that shows it: at the same address unless it is another one. */
  page?: string
  /** The page that has the form, where its address is opened otherwise. */
  place?: string
  /** What is wrong with fields that the call does not have. */
  check?: (values: Values) => FieldProblems | undefined
  /** `id` is the segment of the address that the path has a name for. */
  call: (values: Values, id: string) => Call
  /** What its page says about the segment of the address; such a page is not cached. */
  shown?: (shop: CommerceShop, id: string) => Promise<Shown>
  /** The address that it leads to. */
  done: (values: Values) => string
  /** True for a form of the page, where others post to the same address and are answered elsewhere. */
  isOfPage?: (values: Values) => boolean
  /** The page that answers where there is nothing under the id. */
  unknown?: string
}

const pick = (values: Values, needed: readonly string[], optional: readonly string[] = []) =>
  Object.fromEntries([
    ...needed.map((name) => [name, values[name] ?? '']),
    ...optional.map((name) => [name, values[name] || undefined]),
  ])

const messageNamespace = '6f0f4a52-9d0b-4c4e-9f0e-2a7f0c6b7d11'

/**
 * A page that is cached can make no key, so without scripts a form has none: the same words on one day are one message,
 * however often the form is sent.
 */
function sendMessage({ key, ...message }: Record<string, string | undefined>): Call {
  const day = new Date().toISOString().slice(0, 10)
  const ownKey = uuidv5(JSON.stringify([day, message]), messageNamespace)
  return { path: '/api/contact', json: { ...message, key: key ?? ownKey } }
}

const forms: readonly Form[] = [
  {
    path: contactPath,
    page: '/',
    place: '/#contact',
    call: (values) => sendMessage(pick(values, ['name', 'email', 'subject', 'message'], ['key', 'website'])),
    done: () => `${messageSentPath}#contact`,
  },
  {
    path: findPurchasePath,
    check: (values) => searchProblems((name) => values[name] ?? ''),
    call: (values) => sendMessage(findPurchaseMessage((name) => values[name] ?? '')),
    done: () => outcomePaths.searchSent,
  },
  {
    path: lettersPath,
    call: (values) => ({ path: '/api/letters', json: pick(values, ['email', 'words'], ['website']) }),
    done: () => outcomePaths.lettersAsked,
  },
  {
    path: excerptPath,
    call: (values) => ({ path: '/api/excerpt', json: pick(values, ['email'], ['letters', 'website']) }),
    done: () => outcomePaths.excerptAsked,
  },
  {
    path: receiptsPath,
    page: findPurchasePath,
    place: findPurchasePath,
    call: (values) => ({ path: '/api/guest/receipts', json: pick(values, ['email']) }),
    done: () => outcomePaths.receiptsSent,
  },
  {
    path: tellMePattern,
    call: (values, id) => ({ path: `/api/products/${id}/waitlist`, json: pick(values, ['email']) }),
    shown: async ({ catalogue }, id) => {
      const { products } = await catalogue.get()
      return { awaited: products.find((product) => product.id === id) }
    },
    done: () => outcomePaths.toldLater,
  },
  {
    path: mailChoicesPattern,
    isOfPage: (values) => 'has_editions' in values,
    call: ({ has_editions }, token) => ({
      method: 'PUT',
      path: `/api/mail-choices/${token}`,
      json: { has_editions: has_editions === 'true' },
    }),
    done: ({ has_editions }) => (has_editions === 'true' ? outcomePaths.mailsOn : outcomePaths.mailsOff),
    unknown: outcomePaths.linkUnknown,
  },
  {
    path: mailChoicesPattern,
    isOfPage: ({ letters }) => letters === 'end' || letters === 'delete',
    call: ({ letters }, token) =>
      letters === 'delete'
        ? { method: 'DELETE', path: `/api/subscriptions/${token}` }
        : { method: 'POST', path: `/api/subscriptions/${token}/end` },
    done: ({ letters }) => (letters === 'delete' ? outcomePaths.lettersDeleted : outcomePaths.lettersEnded),
    unknown: outcomePaths.linkUnknown,
  },
  {
    path: mailChoicesPattern,
    isOfPage: ({ letters }) => letters === 'end-by-choices',
    call: (_, token) => ({ method: 'POST', path: `/api/mail-choices/${token}/letters/end` }),
    done: () => outcomePaths.lettersEnded,
    unknown: outcomePaths.linkUnknown,
  },
]

/** Shows a problem above the form where the form has no field for it. */
function shownOf({ problems = {}, notice }: Refusal, values: Values): Pick<Refusal, 'problems' | 'notice'> {
  const other = Object.entries(problems).find(([name]) => !(name in values) || name === 'key')
  return { problems, notice: notice ?? other?.[1] }
}

/** The pages that say what was done stand below the paths of the forms. */
const isOutcome = (path: string) => Object.values<string>(outcomePaths).includes(path)

function idOf(c: Context): string {
  const [id = ''] = Object.values<string>(c.req.param())
  return id
}

export function siteForms(shop: CommerceShop, site: Pick<Site, 'answer' | 'handle'>, callApi: CallApi) {
  const app = new Hono<ApiEnv>()
  const limit = openPageLimit(shop)
  for (const form of forms) {
    const { path, place, shown } = form
    if (place) app.get(path, (c) => c.redirect(place, 308))
    const refused = refuseByPage(site, (c) => place ?? c.req.path)
    if (shown)
      app.get(path, refused, async (c, next) => {
        if (isOutcome(c.req.path)) return next()
        requireShortAddress(c.req.url)
        const tooMany = await limit(c)
        if (tooMany) return tooMany
        return site.answer(c, path, { shown: await shown(shop, idOf(c)) })
      })
    app.post(path, refused, limitForm, async (c, next) => {
      const { isOfPage = () => true } = form
      if (!isForm(c) && !form.isOfPage) throw platformProblem('request.unsupported_type')
      const values = await readForm(c)
      if (!isOfPage(values)) return next()
      const tooMany = await limit(c)
      if (tooMany) return tooMany
      if (!isOwnForm(c)) return sendFromHere(c, site, values)
      // The call's texts are in the words of the page.
      const { wording } = await shop.book.getOrStale()
      const id = idOf(c)
      const action = path.includes(':') ? samePath : path
      const entered = { ...values, key: values['key'] || randomUUID() }
      const problems = withTexts(wording, () => form.check?.(values))
      if (problems)
        return site.answer(c, form.page ?? path, { status: 422, form: { action, values: entered, problems } })
      const response = await callApi(
        c,
        withTexts(wording, () => form.call(values, encodeURIComponent(id))),
      )
      if (response.ok) return c.redirect(form.done(values), 303)
      if (response.status === 404 && form.unknown) return site.answer(c, form.unknown, {})
      const refusal = await readRefusal(response)
      return site.answer(c, form.page ?? path, {
        ...pageStatus(response),
        form: { action, values: entered, ...shownOf(refusal, values) },
        ...(shown && { shown: await shown(shop, id) }),
      })
    })
  }
  app.get(mailChoicesPattern, refuseByPage(site), async (c) => {
    if (isOutcome(c.req.path)) return site.handle(c)
    const tooMany = await limit(c)
    if (tooMany) return tooMany
    const token = encodeURIComponent(c.req.param('token'))
    const ofLetters = await callApi(c, { method: 'GET', path: `/api/subscriptions/${token}` })
    if (ofLetters.ok) {
      const shown = { subscription: subscription.parse(await ofLetters.json()) }
      return site.answer(c, mailChoicesPattern, { shown })
    }
    const response = await callApi(c, { method: 'GET', path: `/api/mail-choices/${token}` })
    if (response.status === 404) return site.answer(c, outcomePaths.linkUnknown, {})
    if (!response.ok) return site.handle(c)
    const choices = linkedMailChoices.parse(await response.json())
    return site.answer(c, mailChoicesPattern, { shown: { mailChoices: choices } })
  })
  for (const pages of [buyingPages, guestPurchasePages, withdrawingPages])
    app.route('/', pages({ shop, site, callApi, limit }))
  return app
}
