// The calls of a buyer without an account, by the proof that this browser or the link has.
import { api, responseOf } from '../../api.ts'
import type { FileChoice } from '../../purchase/downloads.tsx'
import { orReceived } from '../../purchase/lost-response.ts'
import { findProof } from '../../purchase/guest-purchases.ts'

const calls = api.guest.purchases[':id']
const proofOf = (id: string) => findProof(id)?.proof ?? ''

export const downloadOf = (id: string) => (file: FileChoice) =>
  responseOf(calls.download.$post({ param: { id }, json: { proof: proofOf(id), ...file } }))

/** `is_request`: no right is left, and the author is asked. */
export const refundOf = (id: string, is_request: boolean) => (reason: string) =>
  responseOf(calls.refund.$post({ param: { id }, json: { proof: proofOf(id), reason, is_request } })).catch(
    orReceived(() => responseOf(calls.settle.$post({ param: { id }, json: { proof: proofOf(id) } }))),
  )

export const takeBackOf = (id: string) => () =>
  responseOf(calls.refund.end.$post({ param: { id }, json: { proof: proofOf(id) } }))
