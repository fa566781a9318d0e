// The calls of a buyer without an account, by the proof that this browser or the link has.
import { api, responseOf } from '../../api.ts'
import type { FileChoice } from '../../purchase/downloads.tsx'
import { findProof } from '../../purchase/guest-purchases.ts'

const calls = api.guest.purchases[':id']
const proofOf = (id: string) => findProof(id)?.proof ?? ''

export const downloadOf = (id: string) => (file: FileChoice) =>
  responseOf(calls.download.$post({ param: { id }, json: { proof: proofOf(id), ...file } }))

export const refundOf = (id: string) => (reason: string) =>
  responseOf(calls.refund.$post({ param: { id }, json: { proof: proofOf(id), reason } }))
