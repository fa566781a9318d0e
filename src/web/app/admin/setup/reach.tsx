// The card of the open shop: it says who can open it.
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { Reach, SiteAddress } from '#contract/setup/setup.ts'
import { describeVerdict } from '#contract/verdict-words.ts'
import { Check } from '../../../components/icons.tsx'
import { Callout } from '../../../components/note.tsx'
import { Spinner } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Circle, TriangleAlert } from '../icons.tsx'
import { ActionLink } from '../links.tsx'
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

const titles: Record<Reach, string> = {
  computer: 'Only you see it, on this computer',
  network: 'Only you see it, in your own network',
  no_https: 'It opens without https',
  fault: 'Nobody reaches it at its address yet',
  answers: 'It answers from this machine',
  reached: 'Visitors see your book now',
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
  const { reach, check } = address
  const Icon = reach === 'reached' ? Check : reach === 'answers' ? Circle : TriangleAlert
  const color = reach === 'reached' ? 'text-success' : reach === 'answers' ? 'text-soft' : 'text-gold-text'
  return (
    <div className="flex gap-3">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${color}`} />
      <div className="min-w-0">
        <p className="font-semibold">{titles[reach]}</p>
        <p className="mt-0.5 text-sm wrap-anywhere text-pretty text-soft">{describeVerdict(check)}</p>
      </div>
    </div>
  )
}

function ReachWays({ address, onCheck }: { address: SiteAddress; onCheck: () => void }) {
  const { url, reach, check, proxy, qr_code } = address
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
        {reach === 'answers' && proxy && (
          <Callout role="note" className="mt-5">
            {describeVerdict(proxy)}
          </Callout>
        )}
      </>
    )
  return (
    <p className="mt-3 flex flex-wrap gap-x-5 gap-y-2 pl-8 text-sm">
      {check.actions.map((action) => (
        <ActionLink key={action.label} action={action} isFromSetup />
      ))}
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
