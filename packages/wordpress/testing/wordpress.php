<?php
/**
 * As much of WordPress as the plugin asks of it on a page, over one SQLite file: for tests without WordPress. Requests are served by
 * `php -S` with site.php as router.
 */

define( 'ABSPATH', __DIR__ . '/' );
define( 'WP_CONTENT_DIR', __DIR__ . '/none' );
define( 'HOUR_IN_SECONDS', 3600 );
define( 'DAY_IN_SECONDS', 86400 );

final class WP_Error {
	private $message;
	public function __construct( $message ) {
		$this->message = $message;
	}
	public function get_error_message() {
		return $this->message;
	}
}

/** The database of a WordPress, by the SQL that the plugin writes. */
final class Test_Database {
	public $prefix  = 'wp_';
	public $options = 'wp_options';
	private $file;
	public function __construct( $path ) {
		$this->file = new SQLite3( $path );
		$this->file->busyTimeout( 5000 );
		$this->file->exec( 'CREATE TABLE IF NOT EXISTS wp_options (option_name TEXT PRIMARY KEY, option_value TEXT)' );
	}
	public function suppress_errors() {
		return false;
	}
	public function get_charset_collate() {
		return '';
	}
	public function prepare( $sql, ...$values ) {
		$parts = preg_split( '/%[sd]/', $sql );
		$made  = array_shift( $parts );
		foreach ( $parts as $index => $part ) {
			$value = $values[ $index ];
			$made .= ( is_int( $value ) ? $value : "'" . SQLite3::escapeString( $value ) . "'" ) . $part;
		}
		return $made;
	}
	public function query( $sql ) {
		if ( false === $this->file->exec( $sql ) ) {
			throw new RuntimeException( $this->file->lastErrorMsg() );
		}
		return $this->file->changes();
	}
	public function insert( $table, $row ) {
		return @$this->file->exec( $this->prepare( "INSERT INTO $table (visit) VALUES (%s)", $row['visit'] ) ) ? 1 : false;
	}
	public function get_results( $sql ) {
		$found = $this->file->query( $sql );
		$rows  = array();
		while ( $row = $found->fetchArray( SQLITE3_ASSOC ) ) {
			$rows[] = (object) $row;
		}
		return $rows;
	}
	public function get_var( $sql ) {
		return @$this->file->querySingle( $sql );
	}
}

$wpdb          = new Test_Database( getenv( 'SITE_DATABASE' ) );
$test_hooks    = array();
$test_did      = array();
$test_schedule = null;

function get_option( $name, $default = false ) {
	global $wpdb;
	$value = $wpdb->get_var( $wpdb->prepare( 'SELECT option_value FROM wp_options WHERE option_name = %s', $name ) );
	if ( null === $value ) {
		return $default;
	}
	$read = @unserialize( $value );
	return false === $read && 'b:0;' !== $value ? $value : $read;
}
function update_option( $name, $value ) {
	global $wpdb;
	$text = is_string( $value ) ? $value : serialize( $value );
	return 1 === $wpdb->query( $wpdb->prepare( 'INSERT INTO wp_options VALUES (%s, %s) ON CONFLICT (option_name) DO UPDATE SET option_value = excluded.option_value', $name, $text ) );
}
function add_option( $name, $value ) {
	return false === get_option( $name ) && update_option( $name, $value );
}
function delete_option( $name ) {
	global $wpdb;
	$wpdb->query( $wpdb->prepare( 'DELETE FROM wp_options WHERE option_name = %s', $name ) );
}
function set_transient( $name, $value, $seconds ) {
	return update_option( "_transient_$name", array( 'value' => $value, 'until' => test_now() + $seconds ) );
}
function get_transient( $name ) {
	$stored = get_option( "_transient_$name" );
	return is_array( $stored ) && $stored['until'] > test_now() ? $stored['value'] : false;
}
function delete_transient( $name ) {
	delete_option( "_transient_$name" );
}
function test_now() {
	return time();
}
function wp_cache_delete() {
	return true;
}
function dbDelta() {
	global $wpdb;
	$wpdb->query( 'CREATE TABLE IF NOT EXISTS wp_ghostlight_visits (id INTEGER PRIMARY KEY AUTOINCREMENT, visit TEXT NOT NULL)' );
}

function add_action( $hook, $run, $priority = 10 ) {
	global $test_hooks;
	$test_hooks[ $hook ][ $priority ][] = $run;
}
function add_filter( $hook, $run, $priority = 10 ) {
	add_action( $hook, $run, $priority );
}
function do_action( $hook ) {
	global $test_hooks, $test_did;
	$test_did[ $hook ] = 1 + ( isset( $test_did[ $hook ] ) ? $test_did[ $hook ] : 0 );
	for ( $last = null; isset( $test_hooks[ $hook ] ); ) {
		$next = array_filter(
			array_keys( $test_hooks[ $hook ] ),
			static function ( $priority ) use ( $last ) {
				return null === $last || $priority > $last;
			}
		);
		if ( array() === $next ) {
			break;
		}
		$last = min( $next );
		// An action may add another one behind itself.
		for ( $i = 0; $i < count( $test_hooks[ $hook ][ $last ] ); $i++ ) {
			call_user_func( $test_hooks[ $hook ][ $last ][ $i ] );
		}
	}
}
function did_action( $hook ) {
	global $test_did;
	return isset( $test_did[ $hook ] ) ? $test_did[ $hook ] : 0;
}
function apply_filters( $hook, $value ) {
	return $value;
}
function register_activation_hook() {}
function register_deactivation_hook() {}
function __( $text ) {
	return $text;
}

function esc_html( $text ) {
	return htmlspecialchars( $text, ENT_QUOTES );
}
function esc_attr( $text ) {
	return esc_html( $text );
}
function esc_url( $text ) {
	return esc_html( $text );
}
function esc_html__( $text ) {
	return esc_html( $text );
}
function esc_attr__( $text ) {
	return esc_html( $text );
}
function wp_kses_post( $html ) {
	return $html;
}
function _n( $one, $many, $count ) {
	return 1 === $count ? $one : $many;
}
function number_format_i18n( $number ) {
	return number_format( $number );
}
function human_time_diff( $from, $to = 0 ) {
	return abs( ( $to ? $to : time() ) - $from ) . ' seconds';
}
function admin_url( $path ) {
	return 'https://www.shop.example/wp-admin/' . $path;
}
function wp_nonce_field( $action ) {
	echo '<input type="hidden" name="_wpnonce" value="' . esc_attr( $action ) . '">';
}
function checked( $one, $other ) {
	return $one === $other ? ' checked' : '';
}
function selected( $one, $other ) {
	return $one === $other ? ' selected' : '';
}
function disabled( $one, $other ) {
	return $one === $other ? ' disabled' : '';
}
function wp_parse_url( $url, $part ) {
	return parse_url( $url, $part );
}
function add_settings_error( $page, $code, $sentence, $type ) {
	global $test_messages, $test_errors;
	$test_messages[] = $type . ' ' . $code;
	$test_errors[]   = array( 'message' => $sentence, 'type' => $type );
}
function get_settings_errors() {
	global $test_errors;
	return (array) $test_errors;
}
/** As WordPress prints them: the message is HTML. */
function settings_errors() {
	foreach ( (array) get_transient( 'settings_errors' ) as $error ) {
		if ( is_array( $error ) ) {
			echo "<div class='notice notice-{$error['type']} settings-error'><p><strong>{$error['message']}</strong></p></div>";
		}
	}
	delete_transient( 'settings_errors' );
}
function get_current_screen() {
	return (object) array( 'id' => 'dashboard' );
}
function check_admin_referer() {
	return 1;
}
function add_query_arg( $name, $value, $url ) {
	return "$url&$name=$value";
}
function wp_safe_redirect( $url ) {
	header( "Location: $url", true, 302 );
	return true;
}

function wp_next_scheduled( $hook ) {
	$events = get_option( 'cron', array() );
	return isset( $events[ $hook ] ) ? $events[ $hook ] : false;
}
function wp_schedule_single_event( $at, $hook ) {
	update_option( 'cron', array( $hook => $at ) + get_option( 'cron', array() ) );
	return true;
}
function wp_schedule_event( $at, $schedule, $hook ) {
	return wp_schedule_single_event( $at, $hook );
}
function wp_unschedule_hook( $hook ) {
	update_option( 'cron', array_diff_key( get_option( 'cron', array() ), array( $hook => 0 ) ) );
}
function spawn_cron() {
	update_option( 'test_spawned', (string) ( 1 + (int) get_option( 'test_spawned', '0' ) ) );
}

function home_url( $path = '' ) {
	return 'https://www.shop.example' . $path;
}
function site_url() {
	return 'https://www.shop.example';
}
function is_multisite() {
	return isset( $_SERVER['HTTP_X_TEST_NETWORK'] );
}
function get_site_option( $name, $default = false ) {
	return $default;
}
function is_ssl() {
	return true;
}
function is_admin() {
	return 0 === strpos( $_SERVER['REQUEST_URI'], '/wp-admin/' );
}
function wp_doing_ajax() {
	return 0 === strpos( $_SERVER['REQUEST_URI'], '/wp-admin/admin-ajax.php' );
}
function wp_doing_cron() {
	return 0 === strpos( $_SERVER['REQUEST_URI'], '/wp-cron.php' );
}
function wp_installing() {
	return false;
}
function is_user_logged_in() {
	return isset( $_COOKIE['test_role'] );
}
function current_user_can() {
	return isset( $_COOKIE['test_role'] ) && 'administrator' === $_COOKIE['test_role'];
}
function wp_salt() {
	return 'salt of the test';
}
function wp_json_encode( $value ) {
	return json_encode( $value );
}
function status_header( $status ) {
	http_response_code( $status );
}
function is_wp_error( $value ) {
	return $value instanceof WP_Error;
}
function wp_remote_request( $url, $arguments ) {
	if ( 0 !== $arguments['redirection'] ) {
		throw new RuntimeException( 'A redirect would be followed.' );
	}
	$headers = array( 'User-Agent: ' . $arguments['user-agent'] );
	foreach ( $arguments['headers'] as $name => $value ) {
		$headers[] = "$name: $value";
	}
	$context = stream_context_create(
		array(
			'http' => array(
				'method'          => isset( $arguments['method'] ) ? $arguments['method'] : 'GET',
				'header'          => implode( "\r\n", $headers ),
				'content'         => isset( $arguments['body'] ) ? $arguments['body'] : '',
				'timeout'         => $arguments['timeout'],
				'ignore_errors'   => true,
				'follow_location' => 0,
			),
		)
	);
	$body = @file_get_contents( $url, false, $context, 0, $arguments['limit_response_size'] );
	if ( false === $body ) {
		return new WP_Error( 'cURL error 7: connection refused' );
	}
	$answered = array();
	foreach ( $http_response_header as $line ) {
		$parts = explode( ':', $line, 2 );
		if ( isset( $parts[1] ) ) {
			$answered[ strtolower( $parts[0] ) ] = trim( $parts[1] );
		}
	}
	return array(
		'status'  => (int) explode( ' ', $http_response_header[0] )[1],
		'headers' => $answered,
		'body'    => $body,
	);
}
/** The site's own front page: this server answers one request at a time, so it is not asked. What is asked is kept for the test. */
function wp_remote_get( $url, $arguments ) {
	update_option( 'test_asked_itself', array_merge( (array) get_option( 'test_asked_itself', array() ), array( $url => $arguments['headers'] ) ) );
	return new WP_Error( 'No loopback.' );
}
function wp_safe_remote_request( $url, $arguments ) {
	return wp_remote_request( $url, $arguments );
}
function wp_remote_retrieve_response_code( $answer ) {
	return $answer['status'];
}
function wp_remote_retrieve_body( $answer ) {
	return $answer['body'];
}
function wp_remote_retrieve_header( $answer, $name ) {
	return isset( $answer['headers'][ strtolower( $name ) ] ) ? $answer['headers'][ strtolower( $name ) ] : '';
}
