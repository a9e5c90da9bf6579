<?php
/**
 * What an administrator has entered, checked.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * The key lies in an option of its own: it is read only where a report is sent, and never with the options of every page.
 */
final class Ghostlight_Settings {

	const OPTION = 'ghostlight_settings';
	const SECRET = 'ghostlight_secret';

	/**
	 * Share of other traffic that is reported anonymised, so that the service can estimate the share of AI.
	 */
	const SAMPLE_RATE = 0.02;

	/**
	 * Address of the service, without a trailing slash. Empty: not set.
	 *
	 * @var string
	 */
	public $url = '';

	/**
	 * A UUID in lower case. Empty: not set.
	 *
	 * @var string
	 */
	public $attribution_id = '';

	/**
	 * Where the client's address is found; a constant of Ghostlight_Address.
	 *
	 * @var string
	 */
	public $address_mode = Ghostlight_Address::UNSAID;

	/**
	 * How many proxies of one's own a request passes.
	 *
	 * @var int
	 */
	public $proxies = 1;

	/**
	 * The header that has the client's address.
	 *
	 * @var string
	 */
	public $header = 'CF-Connecting-IP';

	/**
	 * Whether /.well-known/webmcp.json is served.
	 *
	 * @var bool
	 */
	public $serves_manifest = false;

	/**
	 * The settings of this site.
	 *
	 * @return self
	 */
	public static function get() {
		return self::from( get_option( self::OPTION, array() ) );
	}

	/**
	 * Whatever an option holds, made usable.
	 *
	 * @param mixed $stored The option, or a form.
	 * @return self
	 */
	public static function from( $stored ) {
		$settings = new self();
		$stored   = is_array( $stored ) ? $stored : array();
		$text     = static function ( $name ) use ( $stored ) {
			return isset( $stored[ $name ] ) && is_scalar( $stored[ $name ] ) ? trim( (string) $stored[ $name ] ) : '';
		};

		$settings->url            = self::clean_url( defined( 'GHOSTLIGHT_URL' ) ? (string) GHOSTLIGHT_URL : $text( 'url' ) );
		$id                       = defined( 'GHOSTLIGHT_ATTRIBUTION_ID' ) ? (string) GHOSTLIGHT_ATTRIBUTION_ID : $text( 'attribution_id' );
		$settings->attribution_id = self::clean_id( $id );
		$mode                     = $text( 'address_mode' );
		if ( in_array( $mode, array( Ghostlight_Address::DIRECT, Ghostlight_Address::PROXIES, Ghostlight_Address::HEADER ), true ) ) {
			$settings->address_mode = $mode;
		}
		$settings->proxies = max( 1, min( 9, (int) $text( 'proxies' ) ) );
		if ( in_array( $text( 'header' ), Ghostlight_Address::HEADERS, true ) ) {
			$settings->header = $text( 'header' );
		}
		$settings->serves_manifest = in_array( $text( 'serves_manifest' ), array( '1', 'on' ), true );
		return $settings;
	}

	/**
	 * The form in which they are stored.
	 *
	 * @return array<string, mixed>
	 */
	public function to_array() {
		return array(
			'url'             => $this->url,
			'attribution_id'  => $this->attribution_id,
			'address_mode'    => $this->address_mode,
			'proxies'         => $this->proxies,
			'header'          => $this->header,
			'serves_manifest' => $this->serves_manifest ? '1' : '',
		);
	}

	/**
	 * Whether there is enough to report. Whether there is a key is seen when a report is sent.
	 *
	 * @return bool
	 */
	public function is_complete() {
		return '' !== $this->url && '' !== $this->attribution_id;
	}

	/**
	 * The ingest key. It goes into one header of one request, and nowhere else.
	 *
	 * @return string Empty: not set.
	 */
	public static function key() {
		if ( self::has_fixed_key() ) {
			return (string) GHOSTLIGHT_KEY;
		}
		$stored = get_option( self::SECRET, array() );
		return is_array( $stored ) && isset( $stored['key'] ) && is_string( $stored['key'] ) ? $stored['key'] : '';
	}

	/**
	 * Whether wp-config.php sets the key. In a network it counts only beside the address: the owner of one site could enter an address of
	 * their own, and would get the network's key there.
	 *
	 * @return bool
	 */
	public static function has_fixed_key() {
		return defined( 'GHOSTLIGHT_KEY' ) && ( ! is_multisite() || defined( 'GHOSTLIGHT_URL' ) );
	}

	/**
	 * The address of the service as it was meant: copied from the setup page with a path, or with a slash at its end.
	 *
	 * @param string $url As entered.
	 * @return string Empty: no address.
	 */
	public static function clean_url( $url ) {
		if ( 1 !== preg_match( '~^(https?)://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?(/[a-z0-9._\~/-]*)?$~iD', $url, $found ) ) {
			return '';
		}
		$path = isset( $found[4] ) ? (string) preg_replace( '~/(?:v1|api)/.*$~i', '', $found[4] ) : '';
		return strtolower( $found[1] . '://' . $found[2] . ( isset( $found[3] ) ? $found[3] : '' ) ) . rtrim( $path, '/' );
	}

	/**
	 * An attribution ID.
	 *
	 * @param string $text As entered.
	 * @return string Lower case; empty: none.
	 */
	public static function clean_id( $text ) {
		$id = strtolower( trim( $text ) );
		return 1 === preg_match( '/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/D', $id ) ? $id : '';
	}

	/**
	 * Whether a text can be an ingest key.
	 *
	 * @param string $text As entered, trimmed.
	 * @return bool
	 */
	public static function is_key( $text ) {
		return 1 === preg_match( '/^svc_cf_[!-~]{1,249}$/D', $text );
	}

	/**
	 * Domains that are this site: a click between them is no referral.
	 *
	 * @return string[]
	 */
	public static function own_domains() {
		$domains = array();
		foreach ( array( home_url(), site_url() ) as $url ) {
			$origin = Ghostlight_Url::origin( $url );
			if ( null !== $origin ) {
				$domains[] = Ghostlight_Referrers::without_www( $origin['host'] );
			}
		}
		return array_values( array_unique( $domains ) );
	}
}
