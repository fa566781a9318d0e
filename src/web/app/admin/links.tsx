// The link that opens an order for a buyer without an account. The shop can show it only once.
import { useState, type ComponentProps } from 'react'
import { useRevalidator, Link } from 'react-router'
import type { AccessLink } from '#contract/orders/purchases.ts'
import type { OrdersApi } from '#domains/overview/orders.routes.ts'
import { responseOf } from '../../api.ts'
import { CopyButton } from '../../copy-button.tsx'
import { formatMoment } from '../../format.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { adminClient, useAdminCall } from './calls.tsx'
import type { Neighbors } from '#contract/fields.ts'
import { ArrowLeft } from '../../components/further-icons.tsx'
import { ArrowRight } from '../../components/icons.tsx'
import punycode from 'punycode/'

const { links } = adminClient<OrdersApi>('Make the link').purchases[':id']

/** `name` of the order, where several buttons have the same label. */
export function BuyersLink({ purchase_id, name }: { purchase_id: string; name?: string }) {
  const { revalidate } = useRevalidator()
  // Loaded again when the link was seen: the order may leave the list that this button is in.
  const [isBusy, run] = useAdminCall({ loadsAgain: false })
  const [link, setLink] = useState<AccessLink>()
  const make = async () => setLink(await responseOf(links.$post({ param: { id: purchase_id } })))
  function close() {
    setLink(undefined)
    void revalidate()
  }
  const label = 'Copy the buyer’s link'
  return (
    <>
      <Button
        look="outline"
        aria-label={name && `${label}: ${name}`}
        disabled={isBusy}
        onClick={() => void run(make, { failed: 'Couldn’t make the link' })}
      >
        {label}
      </Button>
      {link && <LinkDialog link={link} onClose={close} />}
    </>
  )
}

function LinkDialog({ link: { url, ends_at }, onClose }: { link: AccessLink; onClose: () => void }) {
  return (
    <Dialog title="The buyer’s link" onClose={onClose}>
      <p className="mt-3 mb-5 text-pretty text-soft">
        It opens the order with its files, without a password, until {formatMoment(ends_at)}. Send it to the
        buyer only. It is not shown again, but you can make another.
      </p>
      <Field label="Link" readOnly value={url} onFocus={({ target }) => target.select()} />
      <p className="mt-5 flex flex-wrap justify-end gap-3 max-sm:*:grow">
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
        <CopyButton
          label="Copy"
          text={url}
          copied={{ title: 'Link copied' }}
          notCopied={{ title: 'Couldn’t copy', description: 'Please select it and copy it by hand.' }}
        />
      </p>
    </Dialog>
  )
}

type LinkProps = ComponentProps<typeof Link>

/** In running text of any color. */
export function TextLink({ className = '', ...rest }: LinkProps) {
  return <Link className={`rounded-sm text-ink underline underline-offset-4 ${className}`} {...rest} />
}

export function StrongLink({ className = '', ...rest }: LinkProps) {
  return <Link className={`rounded-sm font-semibold underline underline-offset-4 ${className}`} {...rest} />
}

/** The name of what a row of a list is about. */
export function NameLink({ className = '', ...rest }: LinkProps) {
  return <Link className={`rounded-sm font-semibold hover:underline ${className}`} {...rest} />
}

/** To the list that a screen belongs to. */
export function BackLink({ children, ...rest }: LinkProps) {
  return (
    <Link
      className="inline-flex items-center gap-1.5 rounded-sm text-sm text-soft underline-offset-4 hover:text-ink hover:underline"
      {...rest}
    >
      <ArrowLeft aria-hidden className="size-4" />
      {children}
    </Link>
  )
}

type NeighborLinksProps = {
  /** Of the list, as "Messages"; the screens are below its path. */
  label: string
  path: string
  neighbors: Neighbors | undefined
  /** Where the list is not in the order of time. */
  words?: { newer: string; older: string }
}

const byTime = { newer: 'Newer', older: 'Older' }

/** To the list that a screen belongs to, and to what stands beside it there. */
export function NeighborLinks({ label, path, neighbors, words = byTime }: NeighborLinksProps) {
  const { newer, older } = neighbors ?? {}
  return (
    <nav aria-label={label} className="-my-2 flex flex-wrap items-center justify-between gap-x-3">
      <ButtonLink to={path} look="quiet" className="-ms-4 px-4!">
        All {label.toLowerCase()}
      </ButtonLink>
      <span className="flex gap-1">
        {newer && (
          <ButtonLink to={`${path}/${newer}`} look="quiet" className="px-4!">
            <ArrowLeft aria-hidden className="size-4.5" />
            {words.newer}
          </ButtonLink>
        )}
        {older && (
          <ButtonLink to={`${path}/${older}`} look="quiet" className="-me-4 px-4!">
            {words.older}
            <ArrowRight aria-hidden className="size-4.5" />
          </ButtonLink>
        )}
      </span>
    </nav>
  )
}

// How the author sees an address whose domain is of another script: as it reads, and as it is stored and mailed.

/** `buch@bücher.example (buch@xn--bcher-kva.example)`; other addresses as they are, and none of an erased account. */
export function readableAddress(address: string | null): string {
  // oxlint-disable-next-line import/no-named-as-default-member -- the development server cannot import it by name
  const read = punycode.toUnicode(address ?? '')
  return read === (address ?? '') ? read : `${read} (${address})`
}
