// Who can open the shop, in words: as a row of what a visitor can do, and as the card of the open shop.
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { Reach, SiteAddress } from '#contract/setup/setup.ts'
import { manualPath } from '#contract/overview/manual.ts'
import { Check } from '../../../components/icons.tsx'
import { Callout } from '../../../components/note.tsx'
import { Spinner } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Circle, TriangleAlert } from '../icons.tsx'
import { StrongLink } from '../links.tsx'
import { timeIn } from '../settings/shared-with-setup.tsx'
import { readAddress } from './step-card.tsx'

/** Short: the author holds a phone beside the screen. */
const pollMs = 5_000

/** Undefined while the shop asks its address, null after a failure. Asks again by itself until it was opened from outside. */
export function useAddress() {
  const [address, setAddress] = useState<SiteAddress | null>()
  const ask = useCallback(() => readAddress().then(setAddress, () => setAddress(null)), [])
  useEffect(() => void ask(), [ask])
  useEffect(() => {
    if (address?.reach !== 'answers') return undefined
    // A failure in between hides nothing: the next answer comes.
    const timer = setTimeout(() => {
      const again = document.visibilityState === 'visible' ? readAddress() : Promise.resolve({ ...address })
      again.then(setAddress, () => setAddress({ ...address }))
    }, pollMs)
    return () => clearTimeout(timer)
  }, [address])
  function checkAgain() {
    setAddress(undefined)
    void ask()
  }
  return { address, checkAgain }
}

/** "Nov 05, 2026" in that zone. */
function dayIn(timeZone: string, at: Date): string {
  const day = { year: 'numeric', month: 'short', day: '2-digit', timeZone } as const
  return new Intl.DateTimeFormat('en-US', day).format(at)
}

/** "Reached from outside at 20:14", with its day where that is not today; in the shop's time zone. */
function reachedText({ reached_at, time_zone }: SiteAddress): string {
  if (!reached_at) return ''
  const at = new Date(reached_at)
  const day = dayIn(time_zone, at)
  const on = day === dayIn(time_zone, new Date()) ? '' : ` on ${day}`
  return `Reached from outside${on} at ${timeIn(time_zone, at)}`
}

const noHttps =
  'what visitors type there, passwords included, can be read on its way, and Stripe takes no live payments'

const answers: Record<Reach, (address: SiteAddress) => string> = {
  computer: ({ url }) => `No: ${url} opens on this computer only.`,
  network: ({ url }) => `No: ${url} opens in your own network only.`,
  no_https: ({ url }) => `Not safely: ${url} has no https, so ${noHttps}.`,
  fault: ({ fault }) => `No: ${fault}.`,
  answers: ({ url }) =>
    `Not known yet: ${url} answers from this machine. Open it once on your phone, without Wi-Fi.`,
  reached: (address) => `Yes: ${address.url}. ${reachedText(address)}.`,
}

const toManual = { label: 'Put it on the internet', to: manualPath('internet') }
const toAddress = { label: 'Set the address', to: '/admin/settings?from=setup' }

const waysOn: Record<Reach, { label: string; to: string }[]> = {
  computer: [toManual, toAddress],
  network: [toManual, toAddress],
  no_https: [toManual, toAddress],
  fault: [toManual, toAddress],
  answers: [],
  reached: [],
}

export function reachRow(address: SiteAddress) {
  const { reach } = address
  const state = reach === 'reached' ? 'fine' : reach === 'answers' ? 'open' : 'missing'
  return { title: 'Reach the shop', state, says: answers[reach](address), actions: waysOn[reach] } as const
}

/** Who sees the page once the shop is open; undefined where that is every visitor, as far as the shop can know. */
export function onlyViewers({ reach }: SiteAddress): string | undefined {
  if (reach === 'computer') return 'only you see your page, on this computer'
  if (reach === 'network') return 'only your own network sees your page'
  return reach === 'fault' ? 'nobody sees your page at its address yet' : undefined
}

const titles: Record<Reach, string> = {
  computer: 'Only you see it, on this computer',
  network: 'Only you see it, in your own network',
  no_https: 'It opens without https',
  fault: 'Nobody reaches it at its address yet',
  answers: 'It answers from this machine',
  reached: 'Visitors see your book now',
}

const explanations: Record<Reach, (address: SiteAddress) => string> = {
  computer: ({ url }) => `${url} opens on this computer only.`,
  network: ({ url }) => `${url} opens in your own network only.`,
  no_https: ({ url }) => `At ${url}, ${noHttps}.`,
  fault: ({ fault }) => `${fault}.`,
  answers: () =>
    'Open it once on your phone, without Wi-Fi. The first visit from another network is written here by itself.',
  reached: (address) => `${reachedText(address)}.`,
}

export function ReachCard() {
  const { address, checkAgain } = useAddress()
  return (
    <section aria-labelledby="reach" className="rounded-md border border-line p-4 sm:p-5">
      <h3 id="reach" className="sr-only">
        Who can open your shop
      </h3>
      <div role="status">
        {address === undefined && (
          <p className="flex items-center gap-3 text-soft">
            <Spinner /> <span>Checking who can open it...</span>
          </p>
        )}
        {address === null && <p className="text-pretty">Who can open it could not be checked just now.</p>}
        {address && <ReachState address={address} />}
      </div>
      {address && <ReachWays address={address} onCheck={checkAgain} />}
      {address === null && <CheckAgain onClick={checkAgain} />}
    </section>
  )
}

function ReachState({ address }: { address: SiteAddress }) {
  const { reach } = address
  const Icon = reach === 'reached' ? Check : reach === 'answers' ? Circle : TriangleAlert
  const color = reach === 'reached' ? 'text-success' : reach === 'answers' ? 'text-soft' : 'text-gold-text'
  return (
    <div className="flex gap-3">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${color}`} />
      <div className="min-w-0">
        <p className="font-semibold">{titles[reach]}</p>
        <p className="mt-0.5 text-sm wrap-anywhere text-pretty text-soft">{explanations[reach](address)}</p>
      </div>
    </div>
  )
}

function ReachWays({ address, onCheck }: { address: SiteAddress; onCheck: () => void }) {
  const { url, reach, qr_code, is_proxy_ignored } = address
  if (qr_code)
    return (
      <>
        <div className="mt-5 flex flex-wrap items-center gap-5 border-t border-line pt-5">
          <img
            src={`data:image/svg+xml;utf-8,${encodeURIComponent(qr_code)}`}
            alt={`QR code of ${url}`}
            className="size-40 shrink-0 rounded-md border border-line bg-white p-1"
          />
          <div className="min-w-0 grow basis-60">
            <p className="text-sm text-soft">The address to share</p>
            <p className="mt-0.5 mb-4 font-semibold wrap-anywhere">{url}</p>
            <CopyButton
              label="Copy"
              name="Copy the address"
              text={url}
              copied={{ title: 'Address copied' }}
              notCopied={{ title: 'Couldn’t copy', description: 'Please select it and copy it by hand.' }}
            />
          </div>
        </div>
        {reach === 'answers' && is_proxy_ignored && (
          <Callout role="note" className="mt-5">
            Your visit will not be written here yet: the shop does not trust the proxy in front of it, and so
            does not know who calls. Set TRUST_PROXY=1 where the shop is started.
          </Callout>
        )}
      </>
    )
  return (
    <p className="mt-3 flex flex-wrap gap-x-5 gap-y-2 pl-8 text-sm">
      <StrongLink to={manualPath('internet')}>Put your shop on the internet</StrongLink>
      <StrongLink to={toAddress.to}>{toAddress.label}</StrongLink>
      {reach === 'fault' && <Again onClick={onCheck} />}
    </p>
  )
}

function CheckAgain({ onClick }: { onClick: () => void }) {
  return (
    <p className="mt-2 text-sm">
      <Again onClick={onClick} />
    </p>
  )
}

function Again({ onClick }: { onClick: () => void }): ReactNode {
  return (
    <button
      type="button"
      className="cursor-pointer rounded-sm font-semibold underline underline-offset-4"
      onClick={onClick}
    >
      Check again
    </button>
  )
}
