// A product's files.
import { useRevalidator } from 'react-router'
import type { AdminProduct } from '#contract/catalog/products.ts'
import { isOnPaper } from '#contract/catalog/formats.ts'
import { formatDate, formatFileSize } from '../../../format/format.tsx'
import { Badge } from '../../../components/note.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../card.tsx'
import { Table, type Column } from '../../table.tsx'
import type { AnnouncementsApi } from '#domains/delivery/editions.routes.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { responseOf } from '../../../api.ts'
import { save } from '../../../browser-download.ts'
import { adminClient, CallButton } from '../calls.tsx'
import { TextLink } from '../links.tsx'
import { EditionFields, useNewEdition } from '../upload/edition-fields.tsx'

const announcements = adminClient<AnnouncementsApi>().editions[':id']
const editionApi = adminClient<AdminProductsApi>().products[':id'].editions[':file_id']

export function Editions({ product }: { product: AdminProduct }) {
  const { format, editions } = product
  const isBundle = format === 'bundle'
  return (
    <Card title={isBundle ? 'Its own files' : 'Editions'}>
      {editions.length > 0 && (
        <div className="border-b border-line">
          <Table
            label={isBundle ? 'Its own files' : 'Editions'}
            rows={editions}
            rowKey={({ id }) => id}
            columns={columnsOf(product)}
          />
        </div>
      )}
      {isOnPaper(format) ? (
        <p className="p-5 text-soft">A book on paper has no download, so it takes no file.</p>
      ) : (
        <AddEdition product={product} />
      )}
    </Card>
  )
}

type Edition = AdminProduct['editions'][number]

function columnsOf({ id, format, editions }: AdminProduct): Column<Edition>[] {
  const isCurrent = (edition: Edition) =>
    !isOnPaper(format) && editions.find(({ file_format }) => file_format === edition.file_format) === edition
  return [
    {
      title: 'File',
      cell: (edition) => (
        <FileCell edition={edition} isCurrent={isCurrent(edition)} hasTitle={format === 'bundle'} />
      ),
    },
    { title: 'Added', cell: ({ created_at }) => formatDate(created_at), isOneLine: true },
    {
      title: 'Size',
      cell: ({ file_size }) => (file_size === null ? null : formatFileSize(file_size)),
      align: 'right',
      isOneLine: true,
    },
    {
      title: 'Actions',
      align: 'right',
      cell: (edition) => {
        const hasOwners = (isCurrent(edition) && edition.edition > 1) || edition.is_announced
        if (edition.is_lost && !hasOwners) return null
        return (
          <p className="-my-2.5 -mr-3 flex flex-wrap items-center justify-end">
            {!edition.is_lost && (
              <FileButtons product_id={id} edition={edition} isCurrent={isCurrent(edition)} />
            )}
            {hasOwners && <OwnersLink edition={edition} />}
          </p>
        )
      },
    },
  ]
}

type FileCellProps = { edition: Edition; isCurrent: boolean; hasTitle: boolean }

function FileCell({ edition, isCurrent, hasTitle }: FileCellProps) {
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-center gap-2 max-sm:justify-end">
        <Badge look={isCurrent ? 'highlighted' : 'plain'}>{edition.file_format.toUpperCase()}</Badge>
        <span className="font-semibold whitespace-nowrap">Edition {edition.edition}</span>
        <span className="text-soft">{isCurrent ? 'current' : 'earlier'}</span>
        {edition.is_lost && <span className="font-semibold text-danger">lost in a restore</span>}
      </p>
      {hasTitle && <p className="wrap-anywhere">{edition.title}</p>}
      {edition.changes && <p className="text-pretty whitespace-pre-line text-soft">{edition.changes}</p>}
      {edition.findings.map((finding) => (
        <p key={finding} className="text-pretty text-gold-text">
          {finding}
        </p>
      ))}
    </div>
  )
}

type FileButtonsProps = { product_id: string; edition: Edition; isCurrent: boolean }

function FileButtons({ product_id, edition, isCurrent }: FileButtonsProps) {
  const param = { id: product_id, file_id: edition.id }
  const name = `${edition.file_format.toUpperCase()}, edition ${edition.edition}`
  return (
    <>
      <CallButton
        look="quiet"
        className="px-3 text-sm"
        name={`Download ${name}`}
        label="Download"
        call={async () =>
          save((await responseOf(announcements.link.$post({ param: { id: edition.id } }))).url)
        }
        failed="Couldn’t download"
      />
      {!isCurrent && (
        <CallButton
          look="quiet"
          className="px-3 text-sm"
          name={`Go back to this edition: ${name}`}
          label="Go back to this edition"
          question={{ title: `Go back to edition ${edition.edition}?`, action: 'Go back to it' }}
          call={() => responseOf(editionApi.current.$post({ param }))}
          done={{ title: 'Current again', description: 'It is the newest edition now. Nobody is emailed.' }}
          failed="Couldn’t go back"
        >
          Its file becomes the newest edition, with the next number: whoever owns the book downloads it from
          now on. Readers still find the editions between among the earlier ones of their purchase. Nobody is
          emailed unless you tell the owners.
        </CallButton>
      )}
    </>
  )
}

function OwnersLink({ edition: { id, file_format, edition, is_announced } }: { edition: Edition }) {
  const label = is_announced ? 'Emails to its owners' : 'Tell its owners'
  return (
    <TextLink
      to={`/admin/products/editions/${id}`}
      aria-label={`${label}: ${file_format.toUpperCase()}, edition ${edition}`}
      className="inline-block px-3 py-2.5"
    >
      {label}
    </TextLink>
  )
}

function AddEdition({ product }: { product: AdminProduct }) {
  const { revalidate } = useRevalidator()
  const edition = useNewEdition(product)
  const action = edition.hasFile && !edition.isNewFormat ? 'Make it the new edition' : 'Add the file'
  return (
    <div className="grid gap-4 p-5">
      {product.editions.length > 0 && product.format === 'digital' && (
        <p className="text-sm text-pretty text-soft">
          A file of the same format is a new edition: it replaces the one before, also for everybody who has
          bought it, free of charge. A file of another format is added to it. To sell it anew instead,
          duplicate this product and upload the file there: who has bought this one keeps what is here.
        </p>
      )}
      <EditionFields edition={edition} />
      <p>
        <Button disabled={edition.isBusy || !edition.isChosen} onClick={() => void edition.add(revalidate)}>
          {edition.isUploading ? 'Uploading...' : action}
        </Button>
      </p>
    </div>
  )
}
