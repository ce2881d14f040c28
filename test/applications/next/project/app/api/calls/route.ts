export async function GET() {
  const response = await fetch(`http://127.0.0.1:${process.env['PORT']}/api/orders/9`)
  return Response.json(await response.json())
}
