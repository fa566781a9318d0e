// The settings of the author's letters, for the journeys that subscribe to them.
import type { Shop } from './shop.ts'
import { saveSettings } from './users.ts'

export const offerLetters = (shop: Shop, program = '') =>
  saveSettings(shop, 'letters', {
    is_on: true,
    sender: 'Anna Miller',
    topics: 'news of my books',
    frequency: 'once a month',
    program,
  })
