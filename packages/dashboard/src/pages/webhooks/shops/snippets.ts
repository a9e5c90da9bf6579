/** How the visitor gets into a shop's orders: code for the shop's theme. */

/** In the theme, behind the SDK. Cart attributes become `note_attributes` of the order. */
export const SHOPIFY_THEME = `<script>
  (async () => {
    const visitorId = await ghostlight.getVisitorId();
    if (!visitorId) return;
    const root = window.Shopify?.routes?.root ?? '/';
    const cart = await (await fetch(root + 'cart.js')).json();
    if (cart.attributes?.visitor_id === visitorId) return;
    await fetch(root + 'cart/update.js', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ attributes: { visitor_id: visitorId } }),
    });
  })().catch(() => {});
</script>
`;

/** In `functions.php` of the child theme. Both checkouts: the classic one, and the one of blocks. */
export const WOOCOMMERCE_FUNCTIONS = `add_action( 'woocommerce_checkout_create_order', 'ghostlight_visitor' );
add_action( 'woocommerce_store_api_checkout_update_order_meta', 'ghostlight_visitor' );
function ghostlight_visitor( $order ) {
    $cookie = isset( $_COOKIE['_ghl_vid'] ) ? wp_unslash( $_COOKIE['_ghl_vid'] ) : '';
    if ( is_string( $cookie ) && preg_match( '/^v1\\.[A-Za-z0-9_.-]{1,128}\\.[0-9]{1,12}$/', $cookie ) ) {
        $order->update_meta_data( 'visitor_id', $cookie );
    }
}
`;
