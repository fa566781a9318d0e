// States of screens, each reached once and looked at by axe. A walk names each state it has come to.
import type { Browser, Page } from '@playwright/test'
import type { TestSmtpServer } from '#test/smtp.ts'
import type { StripeStandIn } from '@lectern/stripe-stand-in'
import { expectAccessible } from './accessible.ts'
import { part } from './part.ts'
import { refusals, test, type Shop } from './shop.ts'

type Fixtures = { page: Page; shop: Shop; stripe: StripeStandIn; smtp: TestSmtpServer; chrome: Browser }

/** The name of the state, and its page where that is not the first one. */
type State = string | [name: string, page: Page]

export type Walk = (fixtures: Fixtures) => AsyncGenerator<State, void, undefined>

/** One test for all walks, each a part of it. A failure names the walk and the state. */
export function testScreenStates(screens: string, walks: Record<string, Walk>): void {
  test(`axe finds nothing, and nothing scrolls sideways: ${screens}`, async ({
    page,
    shop,
    stripe,
    smtp,
    chrome,
    complaints,
  }) => {
    for (const [title, walk] of Object.entries(walks)) {
      await part(page, title, async () => {
        for await (const state of walk({ page, shop, stripe, smtp, chrome })) {
          const [name, place] = typeof state === 'string' ? [state, page] : state
          await test.step(name, () => expectAccessible(place))
        }
      })
      // Some states are of what was refused or did not come.
      refusals(complaints)
    }
  })
}
