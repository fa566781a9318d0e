import { useRevalidator } from 'react-router'
import type { AdminProduct } from '#features/products/contract/admin-products.ts'
import { formatMoment } from '../../../format.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { TextLink } from '../text-link.tsx'
import { EditionFields, useNewEdition } from '../upload/edition-fields.tsx'

export function Editions({ product }: { product: AdminProduct }) {
  const { format, editions } = product
  const isOnPaper = format === 'paperback' || format === 'hardcover'
  return (
    <Card title={format === 'bundle' ? 'Its own files' : 'Editions'}>
      {editions.length > 0 && (
        <ol className="divide-y divide-line border-b border-line">
          {editions.map((edition, at) => (
            <EditionRow
              key={edition.id}
              edition={edition}
              title={format === 'bundle' ? edition.title : undefined}
              isCurrent={!isOnPaper && isNewestOfFormat(editions, at)}
            />
          ))}
        </ol>
      )}
      {isOnPaper ? (
        <p className="p-5 text-soft">A book on paper has no download, so it takes no file.</p>
      ) : (
        <AddEdition product={product} />
      )}
    </Card>
  )
}

type EditionRowProps = {
  edition: AdminProduct['editions'][number]
  title: string | undefined
  isCurrent: boolean
}

function EditionRow({ edition, title, isCurrent }: EditionRowProps) {
  return (
    <li className="px-5 py-3">
      <p className="flex flex-wrap items-center gap-2 text-sm tabular-nums">
        <Badge look={isCurrent ? 'highlighted' : 'plain'}>{edition.file_format.toUpperCase()}</Badge>
        {title && <span className="wrap-anywhere">{title}</span>}
        <span>Edition {edition.edition}</span>
        <span className="text-soft">{formatMoment(edition.created_at)}</span>
        {edition.file_size !== null && (
          <span className="text-soft">{(edition.file_size / 1024 / 1024).toFixed(2)} MB</span>
        )}
        {isCurrent ? <span>current</span> : <span className="text-soft">earlier</span>}
        {edition.is_lost && <span className="font-semibold text-danger">lost in a restore</span>}
        {((isCurrent && edition.edition > 1) || edition.is_announced) && <OwnersLink edition={edition} />}
      </p>
      {edition.changes && (
        <p className="mt-1 max-w-2xl text-sm text-pretty whitespace-pre-line text-soft">{edition.changes}</p>
      )}
      {edition.findings.map((finding) => (
        <p key={finding} className="mt-1 text-sm text-gold-text">
          {finding}
        </p>
      ))}
    </li>
  )
}

function OwnersLink({
  edition: { id, file_format, edition, is_announced },
}: Pick<EditionRowProps, 'edition'>) {
  const label = is_announced ? 'Emails to its owners' : 'Tell its owners'
  return (
    <TextLink
      to={`/admin/products/editions/${id}`}
      aria-label={`${label}: ${file_format.toUpperCase()}, edition ${edition}`}
      className="ml-auto"
    >
      {label}
    </TextLink>
  )
}

function AddEdition({ product }: { product: AdminProduct }) {
  const { revalidate } = useRevalidator()
  const edition = useNewEdition(product)
  const action = product.editions.length > 0 ? 'Make it the new edition' : 'Add the file'
  return (
    <div className="grid gap-4 p-5">
      {product.editions.length > 0 && product.format === 'digital' && (
        <p className="text-sm text-pretty text-soft">
          A new edition replaces the file, also for everybody who has bought it, free of charge. To sell it
          anew instead, duplicate this product and upload the file there: who has bought this one keeps what
          is here.
        </p>
      )}
      <EditionFields edition={edition} />
      <p>
        <Button disabled={edition.isBusy || !edition.isChosen} onClick={() => void edition.add(revalidate)}>
          {edition.isBusy ? 'Uploading...' : action}
        </Button>
      </p>
    </div>
  )
}

function isNewestOfFormat(editions: AdminProduct['editions'], at: number): boolean {
  return !editions.slice(0, at).some(({ file_format }) => file_format === editions[at]?.file_format)
}
