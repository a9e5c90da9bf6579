<?php
/**
 * Looks at each visit after its page, and hands on the few that are reported.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * Whatever fails in here, the page has been answered.
 */
final class Ghostlight_Reporter {

	/**
	 * Called when WordPress loads its plugins.
	 *
	 * @return void
	 */
	public static function register() {
		add_action( 'init', array( 'Ghostlight_Caches', 'answer_probe' ), 0 );
		// Behind all others: some of them still write to the page.
		add_action( 'shutdown', array( __CLASS__, 'report' ), PHP_INT_MAX );
	}

	/**
	 * At the end of a request.
	 *
	 * @return void
	 */
	public static function report() {
		try {
			if ( self::is_visit() ) {
				self::look( Ghostlight_Response::finish() );
			}
		} catch ( Throwable $error ) {
			// The visitor has the page. An error here would only fill the log of a site whose owner can't repair it.
			unset( $error );
		}
	}

	/**
	 * Whether a request is a visit of the site's pages.
	 *
	 * @return bool
	 */
	private static function is_visit() {
		if ( ! isset( $_SERVER['REQUEST_METHOD'] ) || 'cli' === PHP_SAPI || defined( 'WP_CLI' ) || wp_installing() ) {
			return false;
		}
		if ( is_admin() || wp_doing_ajax() || wp_doing_cron() ) {
			return false;
		}
		if ( ( defined( 'REST_REQUEST' ) && REST_REQUEST ) || ( defined( 'XMLRPC_REQUEST' ) && XMLRPC_REQUEST ) ) {
			return false;
		}
		if ( Ghostlight_Caches::is_probe() || self::is_own_request() ) {
			return false;
		}
		return ! ( did_action( 'init' ) && is_user_logged_in() && current_user_can( 'manage_options' ) );
	}

	/**
	 * Whether this WordPress asked itself, as it does for its checks.
	 *
	 * @return bool
	 */
	private static function is_own_request() {
		// phpcs:ignore WordPress.Security.ValidatedSanitizedInput -- Compared, and nothing else.
		$agent = isset( $_SERVER['HTTP_USER_AGENT'] ) && is_string( $_SERVER['HTTP_USER_AGENT'] ) ? $_SERVER['HTTP_USER_AGENT'] : '';
		return 0 === strpos( $agent, 'WordPress/' ) && false !== strpos( $agent, home_url() );
	}

	/**
	 * Classifies a visit, and keeps it for the next post if it is to be reported.
	 *
	 * @param bool $is_finished Whether the visitor has the whole answer.
	 * @return void
	 */
	private static function look( $is_finished ) {
		$settings = Ghostlight_Settings::get();
		$origin   = Ghostlight_Url::origin( home_url() );
		// Of the request nothing is printed or executed; it is cut, made UTF-8, and sent as JSON.
		$traits = Ghostlight_Visit::traits( $_SERVER, null === $origin ? '' : $origin['host'] );
		$kind   = Ghostlight_Judge::classify( $traits, Ghostlight_Lists::current(), Ghostlight_Settings::own_domains() );
		if ( null === $kind && mt_rand() / ( mt_getrandmax() + 1 ) < Ghostlight_Settings::SAMPLE_RATE ) { // phpcs:ignore WordPress.WP.AlternativeFunctions.rand_mt_rand -- A sample is no secret.
			$kind = Ghostlight_Judge::SAMPLE;
		}
		if ( null === $kind ) {
			return;
		}
		$line = Ghostlight_Visit::line( $traits, $kind, self::facts( $settings ) );
		if ( Ghostlight_Buffer::add( wp_json_encode( $line ) ) ) {
			Ghostlight_Sender::after_page( $is_finished );
		}
	}

	/**
	 * What a request does not say itself.
	 *
	 * @param Ghostlight_Settings $settings Of this site.
	 * @return array<string, mixed>
	 */
	public static function facts( Ghostlight_Settings $settings ) {
		$began         = isset( $_SERVER['REQUEST_TIME_FLOAT'] ) ? (float) $_SERVER['REQUEST_TIME_FLOAT'] : microtime( true );
		$is_cloudflare = Ghostlight_Address::HEADER === $settings->address_mode && 'CF-Connecting-IP' === $settings->header;
		return array(
			'at'             => (int) round( $began * 1000 ),
			'status'         => (int) http_response_code(),
			'ip'             => Ghostlight_Address::of_client( $_SERVER, $settings->address_mode, $settings->proxies, $settings->header ),
			'request_id'     => Ghostlight_Visit::request_id( $_SERVER, $is_cloudflare ),
			'scheme'         => is_ssl() || 0 === strpos( home_url(), 'https:' ) ? 'https' : 'http',
			'sample_rate'    => Ghostlight_Settings::SAMPLE_RATE,
			'worker_version' => GHOSTLIGHT_VERSION,
		);
	}
}
