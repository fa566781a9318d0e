// Where parcels of tests go.
import type { Address } from '#contract/orders/shipments.ts'

export const someAddress: Address = {
  name: 'Ruth of Moab',
  line1: '7 Barley Road',
  line2: 'Flat 2',
  city: 'Portland',
  state: 'OR',
  postal_code: '97201',
  country: 'US',
  phone: '',
}
