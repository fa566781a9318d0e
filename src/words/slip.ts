// The packing slip of a parcel.
import { defineTexts } from './texts.ts'

export const slipTexts = defineTexts('slip', {
  title: 'Packing slip',
  sender: 'Sender: {address}',
  order: 'Order',
  bought: 'Bought',
  toPack: 'To pack',
  quantity: 'Qty',
  book: 'Book',
  format: 'Format',
  byDownload: 'Sent by download, nothing to pack: {products}.',
})
