// The stand-in as a browser sees it: the page to pay at, an invoice, and the list of all checkouts.
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './account.ts'
import { submitAction, showAdmin } from './dashboard-page.ts'
import { formatMinor, layout } from './layout.ts'
import { showPayPage, takePayment, type Moment } from './pay-page.ts'
import { Refusal } from './refusal.ts'

/** Milliseconds after the redirect at which a late webhook comes. */
const afterMs = 2_000

type SendEvent = (type: string, object: object) => Promise<void>

export function servePages(account: Account, sendEvent: SendEvent, moment: () => Moment) {
  /** Returns the page, or where to go. */
  async function open(
    method: string,
    { pathname }: URL,
    form: URLSearchParams,
  ): Promise<{ html: string } | { location: string }> {
    const [, place, id = ''] = pathname.split('/')
    const session = account.sessions.get(id)
    switch (place) {
      case '':
        return { html: showAdmin(account) }
      case 'pay': {
        if (method !== 'POST') return showPayPage(session, moment())
        const result = takePayment(account, session, form)
        if ('session' in result) await sendEventOf(result.session, result.tells)
        return result
      }
      case 'lost':
        return { html: layout('Paid', '<p>The tab is lost: nobody comes back to the shop. Close it.</p>') }
      case 'actions': {
        const { type, object } = submitAction(account, account.getSession(id), form)
        void sendEvent(type, object)
        return { location: '/' }
      }
      case 'invoice': {
        const invoice = account.invoices.get(id)
        return {
          html: layout(
            'Invoice',
            invoice ? `<p>${id}: ${formatMinor(invoice.total, invoice.currency)}, paid</p>` : '',
          ),
        }
      }
      default:
        return { html: layout('Nothing is here', '') }
    }
  }

  async function sendEventOf(session: object | undefined, when: Moment | undefined): Promise<void> {
    if (!session || when === 'never') return
    if (when === 'before') return sendEvent('checkout.session.completed', session)
    void sleep(afterMs, undefined, { ref: false }).then(() =>
      sendEvent('checkout.session.completed', session),
    )
  }

  return async (method: string, url: URL, form: URLSearchParams, response: ServerResponse): Promise<void> => {
    const result = await open(method, url, form).catch((error: unknown) => {
      if (error instanceof Refusal) return { html: layout('Refused', `<p>${error.message}</p>`) }
      throw error
    })
    if ('location' in result) response.writeHead(303, { location: result.location }).end()
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(result.html)
  }
}
