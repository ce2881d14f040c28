export async function GET() {
  throw new TypeError('this route fails')
}
