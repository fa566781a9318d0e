import { z } from 'zod'
import { email, password } from '../fields.ts'
import { saleMode } from '../catalog/sale-mode.ts'

const firstStepNames = ['admin', 'words', 'book', 'mail', 'payments', 'purchase'] as const

export const firstSteps = z.object({
  steps: z.array(z.object({ name: z.enum(firstStepNames), is_done: z.boolean() })),
  payments: z.enum(['none', 'test', 'live']),
  sale_mode: saleMode,
})
export type FirstSteps = z.infer<typeof firstSteps>

export const siteAddress = z.object({
  url: z.string(),
  is_https: z.boolean(),
  fault: z.string().nullable(),
  /** A proxy in front says who calls, and TRUST_PROXY is 0: limits count all visitors as one. */
  is_proxy_ignored: z.boolean(),
})
export type SiteAddress = z.infer<typeof siteAddress>

export const setupLink = z.object({ token: z.string().max(200) })

export const setupRequest = setupLink.extend({ email, password })
export type SetupRequest = z.infer<typeof setupRequest>
