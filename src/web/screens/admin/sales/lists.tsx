import { useSearchParams } from 'react-router'
import { formats } from '#features/products/contract/products.ts'
import { Card } from '../../../components/card.tsx'
import { ExportButton } from '../export-button.tsx'

export function Lists({ days }: { days: { from: string; to: string } | undefined }) {
  const [search] = useSearchParams()
  const format = formats.find((each) => each === search.get('format'))
  return (
    <Card title="Export">
      <div className="flex flex-wrap gap-3 px-5 pt-4">
        {days && (
          <ExportButton request={{ list: 'purchases', ...days, format }}>
            Purchases of these days{format && `, ${format} only`}
          </ExportButton>
        )}
        <ExportButton request={{ list: 'purchases' }}>All purchases</ExportButton>
        <ExportButton request={{ list: 'users' }}>All users</ExportButton>
      </div>
      <p className="px-5 pt-3 pb-4 text-sm text-soft">
        CSV files for any spreadsheet. Refunded purchases are included; a column says how much of each was
        kept.
      </p>
    </Card>
  )
}
