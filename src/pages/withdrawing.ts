// Withdrawing from a contract by the form of its page, without scripts.
import { randomUUID } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { readFieldProblems } from '#contract/field-rules.ts'
import {
  declarationReceived,
  declarationRequest,
  type DeclarationReceived,
} from '#contract/orders/declarations.ts'
import { withdrawPath, withdrawSteps } from '#contract/paths.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { currentSaleMode, offersWithdrawal } from '#domains/catalog/sale-mode.ts'
import { requireShortAddress } from '#platform/http/errors.ts'
import { readDeclared } from '#domains/orders/withdrawal-declarations.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import { isSignedBy, sign } from '#platform/secret.ts'
import { withTexts } from '#words/wording.ts'
import { readRefusal, type CallApi, pageStatus } from './api-calls.ts'
import type { Declared, FormAnswer, PageAnswer } from './page-answer.ts'
import { limitPages, type PageLimit } from './page-limit.ts'
import type { Site } from './site.ts'
import { readOwnForm, refuseByPage, takeForms, type Values } from './posted-forms.ts'

type Dependencies = {
  shop: CommerceShop
  site: Pick<Site, 'answer'>
  callApi: CallApi
  limit: PageLimit
}

export function withdrawingPages({ shop, site, callApi, limit }: Dependencies) {
  const showForm = (c: Context, form: Omit<FormAnswer, 'action'>, answer: PageAnswer = {}) =>
    site.answer(c, withdrawPath, { ...answer, form: { action: withdrawPath, ...form } })

  async function declare(c: Context<ApiEnv>, declared: Declared, values: Values) {
    const { key, name, email, order } = declared
    const response = await callApi(c, { path: '/api/withdrawals', json: { key, name, email, order } })
    if (!response.ok) {
      const { problems, notice } = await readRefusal(response)
      return showForm(c, { values, problems, notice }, pageStatus(response))
    }
    const received = declarationReceived.parse(await response.json())
    const of = seal(shop, received)
    return c.redirect(`${withdrawSteps.received}?of=${of}`, 303)
  }

  return new Hono<ApiEnv>()
    .post(withdrawPath, ...takeForms({ site, limit }), async (c) => {
      const values = await readOwnForm(c, site)
      if (values instanceof Response) return values
      // A declaration that was made before is received all the same, so the second step is the API's to refuse.
      const { step } = values
      if (step === 'change') return showForm(c, { values })
      if (step !== 'confirm' && !(await isOffered(shop))) return site.answer(c, withdrawPath, {})
      const { name, email, order } = values
      const key = declarationRequest.shape.key.safeParse(values['key']).data ?? randomUUID()
      const { wording } = await shop.book.getOrStale()
      const parsed = withTexts(wording, () => {
        const { data, error } = declarationRequest.safeParse({ key, name, email, order })
        return { data, problems: error && readFieldProblems(error) }
      })
      if (!parsed.data) return showForm(c, { values, problems: parsed.problems }, { status: 422 })
      if (step === 'confirm') return declare(c, parsed.data, values)
      return site.answer(c, withdrawSteps.check, { shown: { declared: parsed.data } })
    })
    .get(withdrawSteps.received, limitPages(limit), refuseByPage(site), async (c) => {
      requireShortAddress(c.req.url)
      const declared = await unseal(shop, c.req.query('of') ?? '')
      return site.answer(c, withdrawSteps.received, declared ? { shown: { declared } } : {})
    })
}

async function isOffered(shop: CommerceShop): Promise<boolean> {
  const { products } = await shop.catalogue.get()
  return offersWithdrawal(shop, await currentSaleMode(shop), products)
}

const sealed = declarationReceived.pick({ id: true, is_mailed: true })

const purpose = 'pages of received withdrawals'

/**
 * The page shows what was declared to who has its address: that names the declaration alone, and only the shop can write
 * one, since ids are in the hands of who declares.
 */
function seal({ secret }: CommerceShop, { id, is_mailed }: DeclarationReceived): string {
  const payload = Buffer.from(JSON.stringify({ id, is_mailed })).toString('base64url')
  return `${payload}.${sign(secret.key(purpose), payload)}`
}

async function unseal({ db, secret }: CommerceShop, text: string): Promise<Declared | undefined> {
  const [payload = '', signature = ''] = text.split('.')
  if (!isSignedBy(secret.key(purpose), payload, signature)) return undefined
  const { id, is_mailed } = sealed.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  const declared = await readDeclared(db, id)
  return declared && { ...declared, is_mailed }
}
