import { BuyBar } from '../home/buy-bar.tsx'
import { HeroActions } from '../home/hero-actions.tsx'
import { Offers } from '../home/offers.tsx'
import { startIslands } from '../start.tsx'

export const start = (islands: HTMLElement[]) =>
  startIslands(islands, { hero: HeroActions, sales: Offers, bar: BuyBar })
