import { varintLength } from '../../../base/protobuf-buffer.ts'
import { ProtobufWriter } from '../../../base/protobuf-writer.ts'
import type { BucketsSnapshot } from '../../../metrics/snapshot.ts'
import { fields } from './fields.ts'
import { countOf } from './shared-messages.ts'

const bucketTag = (fields.histogram.bucket << 3) | 2
const countTag = fields.bucket.cumulativeCount << 3
const boundTag = (fields.bucket.upperBound << 3) | 1

/** The length of a bucket without its count: two tags and a double. */
const lengthWithoutCount = 10

/** The maximum length of a bucket with its tag and length. */
const maxLength = lengthWithoutCount + 12

/** Writes the metrics of a page. */
export class MetricWriter extends ProtobufWriter {
  /**
   * Writes the messages `Bucket` of all finite bounds, without exemplars. A histogram can have a hundred of them: in
   * one loop they take a third of the time that they take field by field.
   */
  buckets({ bounds, counts }: BucketsSnapshot): void {
    this.reserve(bounds.length * maxLength)
    const { chunk, view } = this
    let total = 0
    for (let index = 0; index < bounds.length; index++) {
      total += counts[index] as number
      let position = this.position
      chunk[position] = bucketTag
      chunk[position + 2] = countTag
      if (total < 0x80) {
        chunk[position + 1] = lengthWithoutCount + 1
        chunk[position + 3] = total
        position += 4
      } else {
        const count = countOf(total)
        chunk[position + 1] = lengthWithoutCount + varintLength(count)
        this.position = position + 3
        this.putVarint(count)
        position = this.position
      }
      chunk[position] = boundTag
      view.setFloat64(position + 1, bounds[index] as number, true)
      this.position = position + 9
    }
  }
}
