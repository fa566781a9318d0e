// The islands of the home page that sell: the offers, the buttons at the top and bottom, and the discount code.
import { BuyBar } from './buy-bar.tsx'
import { CodeLine } from '../discount/code-line.tsx'
import { HeroActions } from './hero-actions.tsx'
import { Offers } from './offers.tsx'
import { startIslands } from '../start.tsx'

export const start = (islands: HTMLElement[]) =>
  startIslands(islands, { code: CodeLine, hero: HeroActions, sales: Offers, bar: BuyBar })
